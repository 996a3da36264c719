"""The pages of a study's set-up: what they show and change, and for whom."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from annotation.models import Assignment, Dimension, Item, Judge, Study
from annotation.services.presets import SUBJECT_LINES
from annotation.services.studies import create_study
from tests.factories import (
    NOON,
    DimensionFactory,
    ItemFactory,
    JudgeGroupFactory,
    OutputVersionFactory,
    PhaseFactory,
    StudyFactory,
    StudyMemberFactory,
    SystemFactory,
    UnitFactory,
    UserFactory,
)

pytestmark = pytest.mark.django_db
PRESENT = {"kind": "points", "measurement": "ordinal", "points": "1 No\n2 Yes", "name": "New"}


@pytest.fixture
def draft(client):
    """Return a client signed in as the owner of a draft, and the draft."""
    study = create_study("lines", title="Lines", protocol=SUBJECT_LINES, at=NOON)
    client.force_login(StudyMemberFactory(study=study).user)
    return client, study


def every_address(study):
    """Return each address of the set-up of a study, and whether it takes a POST only."""
    phase, group = study.phases.first(), study.groups.first()
    dimension = Dimension.objects.filter(phase__study=study).first()
    example = phase.examples.create(position=1, text="Like this")
    rows = [
        ("setup", [], False), ("protocol", [], False), ("preview", [], False),
        ("preview", [2], False), ("setup_layout", [], False), ("new_phase", [], False),
        ("setup_phase", [phase.pk], False), ("new_dimension", [phase.pk], False),
        ("new_example", [phase.pk], False), ("setup_dimension", [dimension.pk], False),
        ("setup_example", [example.pk], False), ("new_group", [], False),
        ("setup_group", [group.pk], False), ("move_part", ["dimensions", dimension.pk], True),
        ("remove_part", ["phases", phase.pk], True),
    ]  # fmt: skip
    return [
        (name, reverse(f"annotation:{name}", args=[study.slug, *more]), posts)
        for name, more, posts in rows
    ]


@pytest.mark.parametrize("role", ["owner", "researcher", "monitor", None, "visitor"])
def test_every_address_answers_to_whom_it_should(client, role):
    study = create_study("lines", title="Lines", protocol=SUBJECT_LINES, at=NOON)
    user = UserFactory()
    if role == "visitor":
        client.logout()
    else:
        client.force_login(user)
        if role:
            StudyMemberFactory(study=study, user=user, role=role)

    for name, address, posts in every_address(study):
        may = role == "owner" or (role == "researcher" and name in {"protocol", "preview"})
        response = client.post(address) if posts else client.get(address)
        if role == "visitor":
            assert response["Location"].startswith("/sign-in/"), address
        else:
            assert (response.status_code in {200, 302}) == may, address
            assert may or response.status_code == 404, address


def test_parts_of_another_study_are_not_found(draft):
    client, study = draft
    other = create_study("other", title="Other", protocol=SUBJECT_LINES, at=NOON)
    foreign = other.phases.get()

    for name, args in [
        ("setup_phase", [foreign.pk]),
        ("new_dimension", [foreign.pk]),
        ("setup_dimension", [foreign.dimensions.first().pk]),
        ("setup_group", [other.groups.get().pk]),
    ]:
        address = reverse(f"annotation:{name}", args=[study.slug, *args])
        assert client.post(address, {"name": "Taken"}).status_code == 404, name
    gone = reverse("annotation:remove_part", args=[study.slug, "phases", foreign.pk])
    assert client.post(gone).status_code == 404
    assert other.phases.get().dimensions.count() == 3


def test_a_group_has_no_order_and_a_thing_no_parts(draft):
    client, study = draft
    for args in (["groups", study.groups.get().pk], ["things", 1]):
        address = reverse("annotation:move_part", args=[study.slug, *args])
        assert client.post(address, {"to": "up"}).status_code == 404


@pytest.mark.parametrize("n_rows", [1, 3])
def test_the_page_needs_the_same_queries_for_any_number(client, django_assert_num_queries, n_rows):
    study = StudyFactory(state="draft")
    client.force_login(StudyMemberFactory(study=study).user)
    for phase in PhaseFactory.create_batch(n_rows, study=study):
        for n in range(n_rows):
            DimensionFactory(phase=phase)
            phase.examples.create(position=n, text=f"Example {n}")
        JudgeGroupFactory(study=study)

    # session, user, study, loaded ratings, phases, examples, dimensions, points, groups, role
    with django_assert_num_queries(10):
        page = client.get(reverse("annotation:setup", args=[study.slug])).content.decode()

    assert page.count("Example 0") == n_rows


def test_a_dimension_is_added_and_shown_in_words(draft):
    client, study = draft
    address = reverse("annotation:new_dimension", args=[study.slug, study.phases.get().pk])

    said = PRESENT | {
        "question": "Is it <true>?",
        "allows_no_answer": "on",
        "points": "1 No\n\n-2.5 Yes",
    }
    page = client.post(address, said, follow=True).content.decode()

    new = Dimension.objects.get(phase__study=study, key="new")
    assert [(p.value, p.label) for p in new.scale.points.all()] == [(1, "No"), (-2.5, "Yes")]
    assert (new.position, new.allows_no_answer, new.is_required) == (4, True, False)
    assert "Is it &lt;true&gt;?" in page
    assert "1 No · -2.5 Yes" in page


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"points": "1 No"}, "A scale needs at least two points, a line for each."),
        ({"points": ""}, "A scale needs at least two points, a line for each."),
        ({"points": "1 No\nYes"}, "Line 2 begins with “Yes”, not with a number: 3 Good."),
        ({"points": "1 No\nnan Yes"}, "Line 2 begins with “nan”, not with a number: 3 Good."),
        ({"points": "1 No\n1.0 Yes"}, "Line 2: the point 1 stands there already."),
        ({"points": f"1 {'x' * 81}"}, "Line 1: the words of a point have at most 80 characters."),
        ({"points": "\n".join(map(str, range(21)))}, "A scale has at most 20 points"),
        ({"name": ""}, "This field is required."),
        ({"key": "fluency"}, "The short name fluency is taken."),
        ({"allows_tie": "on"}, "Only where the better of two is asked for."),
        ({"kind": "range", "minimum": "0"}, "A range needs this number."),
        (
            {"kind": "range", "minimum": "5", "maximum": "1", "step": "1"},
            "It ends where it begins, or before.",
        ),
        ({"kind": "range", "step": "0"}, "A step is greater than nothing."),
        ({"kind": "range"}, "A range is an interval or a ratio scale."),
    ],
)
def test_a_dimension_that_cannot_be_is_refused_at_its_field(draft, said, message):
    client, study = draft
    address = reverse("annotation:new_dimension", args=[study.slug, study.phases.get().pk])

    response = client.post(address, PRESENT | said)

    assert response.status_code == 422
    assert message in response.content.decode().replace("&#x27;", "'")
    assert Dimension.objects.filter(phase__study=study).count() == 3


def test_a_range_and_a_comment_have_the_scale_that_they_need(draft):
    client, study = draft
    address = reverse("annotation:new_dimension", args=[study.slug, study.phases.get().pk])

    ends = {"minimum": "0", "maximum": "100", "step": "0.5", "points": "0 None\n100 All"}
    client.post(address, {"name": "Worth", "kind": "range", "measurement": "interval"} | ends)
    client.post(address, {"name": "Remarks", "kind": "comment", "points": "1\n2"})

    worth, remarks = Dimension.objects.filter(key__in=["worth", "remarks"]).order_by("position")
    assert (worth.scale.minimum, worth.scale.maximum, worth.scale.step) == (0, 100, 0.5)
    assert remarks.scale is None


def test_a_form_shows_what_is_stored_and_sends_it_back_unchanged(draft):
    client, study = draft
    fluency = Dimension.objects.get(phase__study=study, key="fluency")
    address = reverse("annotation:setup_dimension", args=[study.slug, fluency.pk])

    form = client.get(address).context["form"]
    said = {name: form[name].value() for name in form.fields}
    client.post(
        address,
        {name: value for name, value in said.items() if value is not None and value is not False},
    )

    assert form["points"].value() == "1 Poor\n2 Fair\n3 Good\n4 Great"
    changed = Dimension.objects.get(pk=fluency.pk)
    assert {k: v for k, v in vars(changed).items() if k != "_state"} == {
        k: v for k, v in vars(fluency).items() if k not in {"_state", "_prefetched_objects_cache"}
    } | {"scale_id": fluency.scale_id}


def test_layout_phase_example_and_group_are_kept(draft):
    client, study = draft
    phase = study.phases.get()

    def post(name, args, said):
        return client.post(reverse(f"annotation:{name}", args=[study.slug, *args]), said)

    form = client.get(reverse("annotation:setup_layout", args=[study.slug])).context["form"]
    shown = {name: form[name].value() for name in form.fields}
    said = {
        name: value for name, value in shown.items() if value is not None and value is not False
    }
    assert said["title"] == "Lines"
    post("setup_layout", [], said | {"layout": "page", "page_size": "10", "title": "Rows <i>"})
    texts = {"instructions": "*Read*", "suggestions": "Read it *twice*"}
    post("setup_phase", [phase.pk], {"title": "Rate", "key": "rating", **texts})
    post("new_example", [phase.pk], {"kind": "counter", "text": "Not so", "explanation": "Dull"})
    post("new_group", [], {"name": "Experts", "kind": "expert", "judges_per_unit": "2"})

    page = client.get(reverse("annotation:setup", args=[study.slug])).content.decode()
    for text in (
        "Outputs are shown on pages of 10.",
        "<em>Read</em>",
        "it <em>twice</em>",
        "Not so",
    ):
        assert text in page
    assert "Experts" in page
    assert "The study is called “Rows &lt;i&gt;”." in page
    assert Study.objects.get(pk=study.pk).title == "Rows <i>"
    refused = post("setup_layout", [], said | {"title": " "})
    assert (refused.status_code, Study.objects.get(pk=study.pk).title) == (422, "Rows <i>")
    assert study.groups.get(key="experts").judges_per_unit == 2


def test_removing_and_moving(draft):
    client, study = draft
    first, second, _ = study.phases.get().dimensions.order_by("position")

    client.post(
        reverse("annotation:move_part", args=[study.slug, "dimensions", second.pk]), {"to": "up"}
    )
    client.post(reverse("annotation:remove_part", args=[study.slug, "dimensions", first.pk]))

    keys = study.phases.get().dimensions.order_by("position").values_list("key", flat=True)
    assert list(keys) == [second.key, "overall"]


def test_an_opened_study_shows_its_set_up_and_keeps_it(draft):
    client, study = draft
    Study.objects.filter(pk=study.pk).update(state="open", opened_at=NOON)

    page = client.get(reverse("annotation:setup", args=[study.slug])).content.decode()
    phase = study.phases.get()
    refused = client.post(
        reverse("annotation:setup_phase", args=[study.slug, phase.pk]), {"title": "Other"}
    )
    removed = client.post(
        reverse("annotation:remove_part", args=[study.slug, "phases", phase.pk]), follow=True
    )

    assert "Add a phase" not in page
    assert "What judges" in page
    assert refused.status_code == 422
    assert "stays as it is" in refused.content.decode()
    assert "stays as it is" in removed.content.decode()
    assert study.phases.get().title == "Rate the subject lines"


@pytest.mark.parametrize(
    ("begin", "n_phases", "n_groups"),
    [("facts", 3, 2), ("study:lines", 1, 1), ("empty", 0, 0)],
)
def test_a_new_study_begins_with_a_design_a_study_or_nothing(draft, begin, n_phases, n_groups):
    client, _ = draft

    client.post(
        reverse("annotation:new_study"), {"title": "New", "slug": "new", "begin_with": begin}
    )

    new = Study.objects.get(slug="new")
    assert (new.phases.count(), new.groups.count(), new.state) == (n_phases, n_groups, "draft")


def test_a_study_of_somebody_else_is_no_beginning(draft):
    client, _ = draft
    create_study("other", title="Secret", protocol=SUBJECT_LINES, at=NOON)
    address = reverse("annotation:new_study")

    response = client.post(address, {"title": "N", "slug": "n", "begin_with": "study:other"})

    assert response.status_code == 422
    assert "Secret" not in response.content.decode()
    assert not Study.objects.filter(slug="n").exists()


def test_a_study_is_made_of_a_protocol_file(draft):
    client, study = draft
    text = client.get(reverse("annotation:protocol", args=[study.slug]))
    document = SimpleUploadedFile("protocol.json", text.content)

    client.post(
        reverse("annotation:new_study"),
        {"title": "New", "slug": "new", "begin_with": "empty", "document": document},
    )

    assert text["Content-Disposition"] == 'attachment; filename="lines-protocol.json"'
    assert Study.objects.get(slug="new").phases.get().dimensions.count() == 3


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"no", "The file is no JSON"),
        (json.dumps({"phases": [{"phase": "a"}], "dimensions": []}).encode(), "phases › 1 › title"),
        (
            json.dumps(
                {"phases": [], "dimensions": [], "study": {"exclusion_rules": [{"kind": "x"}]}}
            ).encode(),
            "x",
        ),
    ],
)
def test_a_protocol_file_with_a_fault_makes_nothing(draft, content, message):
    client, _ = draft
    document = SimpleUploadedFile("protocol.json", content)

    response = client.post(
        reverse("annotation:new_study"),
        {"title": "New", "slug": "new", "begin_with": "empty", "document": document},
    )

    assert response.status_code == 422
    assert message in response.content.decode()
    assert Study.objects.count() == 1


def counts():
    return Item.objects.count(), Judge.objects.count(), Assignment.objects.count()


def seen(client, study):
    """Return the pages of a study's preview, followed to their end."""
    pages, number = [], 1
    while True:
        response = client.get(reverse("annotation:preview", args=[study.slug, number]))
        if response.status_code == 302:
            return pages
        pages.append(response.content.decode())
        number += 1


@pytest.mark.parametrize(
    "preset", ["subject_lines", "opinion_summaries", "facts", "pairwise", "best_worst"]
)
@pytest.mark.parametrize("has_outputs", [False, True])
def test_the_preview_shows_each_phase_and_stores_nothing(client, preset, has_outputs):
    client.force_login(user := UserFactory())
    client.post(
        reverse("annotation:new_study"), {"title": "New", "slug": "new", "begin_with": preset}
    )
    study = Study.objects.get(slug="new", members__user=user)
    if has_outputs:
        item = ItemFactory(study=study, source=["The real source."])
        for n in range(4):
            system = SystemFactory(study=study, key=f"secret-{n}")
            version = OutputVersionFactory(output__item=item, output__system=system, text=f"T{n}!")
            UnitFactory(output_version=version)
    before = counts()

    pages = seen(client, study)

    assert counts() == before
    assert len(pages) == 2 * study.phases.count()
    for phase, (briefing, page) in zip(
        study.phases.all(), zip(pages[::2], pages[1::2], strict=True), strict=True
    ):
        assert phase.title in briefing
        for dimension in phase.dimensions.all():
            assert dimension.name in page
        assert ("T0!" if has_outputs else "An output to be judged stands here.") in page
        assert "secret" not in page


def test_an_answer_to_the_preview_leads_on_and_is_forgotten(draft):
    client, study = draft
    before = counts()

    response = client.post(reverse("annotation:preview", args=[study.slug, 2]), {"x": "1"})

    assert response["Location"] == reverse("annotation:preview", args=[study.slug, 2])
    assert counts() == before


def test_the_preview_of_a_study_that_asks_nothing_says_so(client):
    study = StudyFactory(state="draft")
    client.force_login(StudyMemberFactory(study=study).user)

    page = client.get(reverse("annotation:preview", args=[study.slug]), follow=True)

    assert "Nothing is asked yet" in page.content.decode()


def test_a_change_is_seen_in_the_preview_at_once(draft):
    client, study = draft
    seen(client, study)
    Dimension.objects.filter(phase__study=study, key="overall").update(name="In sum")

    assert "In sum" in seen(client, study)[1]
