"""The tree, read by the rules of the toolkit's own reader.

The toolkit (google-research/mt-metrics-eval) is on no package index, so its reader cannot be called
here. What `EvalSet` of its `data.py` opens, how it cuts names and lines, and what it refuses is
written out below. Where the toolkit is installed, tests/metrics_app/test_mt_metrics_eval.py reads
with the reader itself.
"""

from itertools import groupby

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.exporting import ItemBundle, ItemRecord, MetricScores
from annotation.exporting.mt_metrics_eval import TreePlan, write_tree
from tests.annotation.exporting.rows import rating

PAIR = "en-de"
LEVELS = ("sys", "domain", "doc", "seg")


class EvalSet:
    """A test set and language pair; anything the toolkit would refuse fails here."""

    def __init__(self, folder, *, pair=PAIR, std_ref="refA"):
        documents = [line.split() for line in text_lines(folder / "documents" / f"{pair}.docs")]
        self.domains = {entry[0] for entry in documents}
        self.domain_of = {entry[1]: entry[0] for entry in documents}
        self.docs = [name for name, _ in groupby(entry[1] for entry in documents)]
        assert len(self.docs) == len(set(self.docs)), "a document is not contiguous"
        self.src = text_lines(folder / "sources" / f"{pair}.txt")
        self.refs = {}
        for file in (folder / "references").glob(f"{pair}.*.txt"):
            name = str(file).split(".")[-2]
            assert "-" not in name
            assert name not in {"all", "src"}
            self.refs[name] = text_lines(file)
        assert std_ref in self.refs
        self.outputs = {
            file.name.removesuffix(".txt"): text_lines(file)
            for file in (folder / "system-outputs" / pair).glob("*.txt")
        }
        self.human = self.outputs.keys() & self.refs.keys()
        texts = [*self.refs.values(), *self.outputs.values()]
        assert {len(text) for text in texts} == {len(self.src)} == {len(documents)}
        self.scores = {}
        for file in (folder / "human-scores").glob(f"{pair}.*.score"):
            parts = file.name.split(".")
            assert len(parts) >= 4
            self.add(".".join(parts[1:-2]), parts[-2], file, is_human=True)
        for file in (folder / "metric-scores" / pair).glob("*.score"):
            name, level, _ = file.name.rsplit(".", maxsplit=2)
            assert level in LEVELS
            used = name.rsplit("-", maxsplit=1)[1]
            assert used == "src" or set(used.split(".")) <= self.refs.keys()
            self.add(name, level, file, is_human=False)

    def add(self, name, level, file, *, is_human):
        scores = {}
        for line in file.read_text(encoding="utf-8").splitlines():
            *domain, system, score = line.split()
            assert len(domain) == (level == "domain")
            scores.setdefault(system, []).append(None if score == "None" else float(score))
        assert (level, name) not in self.scores
        n_domains = len(self.domains)
        due = {"sys": 1, "domain": n_domains, "doc": len(self.docs), "seg": len(self.src)}[level]
        assert scores.keys() <= self.outputs.keys()
        assert {len(values) for values in scores.values()} <= {due}
        if not is_human:
            assert scores.keys() == self.outputs.keys()
            assert all(None not in values for values in scores.values())
        self.scores[level, name] = scores


def text_lines(file):
    with file.open(encoding="utf-8") as stream:
        lines = [line.rstrip() for line in stream]
    return [None if line == "[No translation supplied]" else line for line in lines]


def bundle(item_id, outputs, ratings=(), **about):
    return ItemBundle(ItemRecord(item_id, **about), outputs, ratings)


def test_ux_36_texts_and_scores_are_read_as_they_were_written(tmp_path):
    items = [
        bundle("i1", {"a": "x\ny", "b": ""}, [rating("i1", "a", "J1", "fluency", 3.0)],
               source=("One.", "Two."), references=("gold", "gold 2"), domain="web news"),
        bundle("i2", {"a": "z"}, [rating("i2", "a", "J1", "fluency", 0.1),
                                  rating("i2", "b", "J1", "fluency", 2.0)]),
    ]  # fmt: skip
    cells = [(item, system) for item in ("i1", "i2") for system in "ab"]
    scores = [MetricScores("rouge.1-f", dict.fromkeys(cells, 0.5))]

    write_tree(tmp_path, TreePlan(PAIR, ["a", "b"], ["fluency"], 2), items, scores)

    tree = EvalSet(tmp_path)
    assert (tree.domains, tree.docs) == ({"web_news", "all"}, ["i1", "i2"])
    assert tree.outputs == {"a": ["x y", "z"], "b": ["", None]}
    assert tree.refs == {"refA": ["gold", ""], "refB": ["gold 2", ""]}
    assert tree.human == set()
    assert tree.scores["seg", "fluency"] == {"a": [3.0, 0.1], "b": [None, 2.0]}
    assert tree.scores["sys", "fluency"] == {"a": [1.55], "b": [2.0]}
    assert tree.scores["domain", "fluency"] == {"a": [3.0, 0.1], "b": [None, 2.0]}
    # There is no output of b for i2: the toolkit wants a number there, which counts for nothing.
    assert tree.scores["seg", "rouge_1_f-refA.refB"] == {"a": [0.5, 0.5], "b": [0.5, 0.5]}
    assert tree.scores["sys", "rouge_1_f-refA.refB"] == {"a": [0.5], "b": [0.5]}


def test_an_output_that_is_not_there_takes_no_metric_away(tmp_path):
    items = [bundle("i1", {"a": "x", "b": "y"}), bundle("i2", {"a": "z"})]
    scores = [
        MetricScores("full", {("i1", "a"): 0.25, ("i1", "b"): 0.5, ("i2", "a"): 0.75}),
        MetricScores("gaps", {("i1", "a"): 0.25, ("i1", "b"): 0.5}),
    ]

    write_tree(tmp_path, TreePlan(PAIR, ["a", "b"], []), items, scores)

    tree = EvalSet(tmp_path)
    assert tree.scores["seg", "full-refA"] == {"a": [0.25, 0.75], "b": [0.5, 0.0]}
    assert tree.scores["sys", "full-refA"] == {"a": [0.5], "b": [0.5]}
    assert ("sys", "gaps-refA") not in tree.scores
    assert "gaps is left out: 1 outputs" in (tmp_path / "README.txt").read_text(encoding="utf-8")


def test_what_people_wrote_is_a_reference_too(tmp_path):
    items = [bundle("i", {"a": "x", "writer-1.0": "y"}, references=("gold",))]

    write_tree(tmp_path, TreePlan(PAIR, ["a", "writer-1.0"], [], human=["writer-1.0"]), items)

    tree = EvalSet(tmp_path)
    assert tree.human == {"writer_1_0"}
    assert tree.refs == {"refA": ["gold"], "writer_1_0": ["y"]}


def test_groups_of_people_have_scores_of_their_own_and_models_none(tmp_path):
    ratings = [
        rating("i", "a", who, "fluency", value, judge_group=group)
        for who, group, value in [("E", "expert", 1.0), ("C", "crowd", 2.0), ("M", "llm", 5.0)]
    ]
    plan = TreePlan(PAIR, ["a"], ["fluency"], groups=["expert", "crowd"])

    write_tree(tmp_path, plan, [bundle("i", {"a": "x"}, ratings)])

    scores = {
        name: by["a"] for (level, name), by in EvalSet(tmp_path).scores.items() if level == "seg"
    }
    assert scores == {"fluency": [1.5], "fluency.expert": [1.0], "fluency.crowd": [2.0]}


def test_segments_of_a_document_are_one_document(tmp_path):
    def segment(item, document, domain, value):
        ratings = [rating(item, "a", "J1", "fluency", value)]
        return bundle(item, {"a": "x"}, ratings, document=document, domain=domain)

    items = [
        segment("1", "d 1", "news", 1.0),
        segment("2", "d 1", "news", 2.0),
        segment("3", "d 2", "news", 3.0),
        segment("4", "d 1", "chat", 4.0),
        segment("5", "", "chat", 5.0),
    ]

    write_tree(tmp_path, TreePlan(PAIR, ["a"], ["fluency"]), items)

    tree = EvalSet(tmp_path)
    assert tree.docs == ["d_1", "d_2", "d_1_2", "5"]
    assert tree.scores["doc", "fluency"] == {"a": [1.5, 3.0, 4.0, 5.0]}
    assert tree.scores["domain", "fluency"] == {"a": [2.0, 4.5]}


def test_references_beyond_the_alphabet_keep_names_without_signs(tmp_path):
    texts = [f"text {n}" for n in range(60)]

    write_tree(tmp_path, TreePlan(PAIR, ["a"], [], 60), [bundle("i", {}, references=texts)])

    assert sorted(text for [text] in EvalSet(tmp_path).refs.values()) == sorted(texts)


def test_a_study_without_references_can_be_read_too(tmp_path):
    items = [bundle("i1", {"a": "x"}, source=("s",))]
    scores = [MetricScores("bleu", {("i1", "a"): 1.0})]

    write_tree(tmp_path, TreePlan(PAIR, ["a"], [], 0), items, scores)

    tree = EvalSet(tmp_path)
    assert tree.refs == {"refA": [""]}
    assert tree.scores["seg", "bleu-src"] == {"a": [1.0]}


@pytest.mark.parametrize(
    "names",
    [["a b", "a_b", "a/b"], ["refA", "b"], ["..", ".", "-"], ["語" * 199 + "一", "語" * 200]],
)
def test_names_that_would_be_one_file_or_a_reference_are_kept_apart(tmp_path, names):
    items = [
        bundle("i 1", {name: f"by {at}" for at, name in enumerate(names)}),
        bundle("i_1", {name: f"and {at}" for at, name in enumerate(names)}),
    ]

    write_tree(tmp_path, TreePlan(PAIR, names, ["a b", "a-b"]), items)

    tree = EvalSet(tmp_path)
    assert sorted(tree.outputs.values()) == [[f"by {n}", f"and {n}"] for n in range(len(names))]
    assert tree.human == set()
    assert len(tree.docs) == 2
    assert {name for _, name in tree.scores} == {"a_b", "a_b_2"}


@pytest.mark.parametrize(
    "names", [["Bart", "bart"], ["caf\u00e9", "CAF\u00c9"], ["con", "CON"], ["refA", "REFa"]]
)
def test_files_stay_apart_on_disks_that_know_no_letter_case(tmp_path, names):
    write_tree(tmp_path, TreePlan(PAIR, names, []), [bundle("i", dict.fromkeys(names, "text"))])

    stems = [file.stem for file in (tmp_path / "system-outputs" / PAIR).iterdir()]
    assert len({stem.casefold() for stem in stems}) == 2
    assert not {"con", "refa"} & {stem.casefold() for stem in stems}


TEXT = st.text(max_size=12)
NAME = st.text(min_size=1, max_size=6)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(NAME, min_size=1, max_size=4, unique=True),
    st.lists(NAME, min_size=1, max_size=4, unique=True),
    st.data(),
)
def test_any_texts_and_names_make_a_tree_that_can_be_read(tmp_path_factory, items, systems, data):
    folder = tmp_path_factory.mktemp("tree")
    bundles = [
        bundle(item, {system: data.draw(TEXT) for system in systems}, source=(data.draw(TEXT),),
               references=(data.draw(TEXT),), domain=data.draw(TEXT))
        for item in items if item.split()
    ]  # fmt: skip

    write_tree(folder, TreePlan(PAIR, systems, systems), bundles)

    tree = EvalSet(folder)
    assert len(tree.outputs) == len(systems)
    assert len(tree.src) == len(tree.docs) == len(bundles)
