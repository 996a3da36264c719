import os

import pytest

from metrics_app.metrics.folders import name_of_folder
from metrics_app.metrics.registry import REGISTRY


@pytest.fixture
def folder(tmp_path):
    """Return a function that writes a folder named bert with some weights."""

    def write(place, weights, **others):
        path = tmp_path / place / "bert"
        path.mkdir(parents=True)
        (path / "model.safetensors").write_bytes(weights)
        for name, text in others.items():
            (path / name.replace("_", ".")).write_text(text)
        return path

    return write


def test_two_models_in_folders_of_one_name_have_two_names(folder):
    one, copy = folder("one", b"abc"), folder("copy", b"abc")
    other, wider = folder("other", b"abd"), folder("wider", b"abc", config_json="{}")

    names = [name_of_folder(str(path)) for path in (one, copy, other, wider)]

    assert names[0] == names[1]
    assert len(set(names)) == 3
    assert all(name.startswith("bert-") for name in names)


def test_notes_and_hidden_files_do_not_count(folder):
    plain, noted = folder("plain", b"abc"), folder("noted", b"abc", README_md="read me")
    (noted / ".cache").mkdir()
    (noted / ".cache" / "lock").write_text("")

    assert name_of_folder(str(plain)) == name_of_folder(str(noted))


def test_new_weights_in_the_same_folder_are_seen(folder):
    path = folder("one", b"abc")
    before = name_of_folder(f"{path}/")
    (path / "model.safetensors").write_bytes(b"xyz")
    os.utime(path / "model.safetensors", ns=(1, 1))

    assert name_of_folder(f"{path}/") != before


def test_a_signature_names_the_folder_and_never_its_path(folder):
    path = folder("secret", b"abc")
    signature = REGISTRY["bertscore"].configure(model=str(path)).signature

    assert f"|model:{name_of_folder(str(path))}|" in signature
    assert "secret" not in signature
    assert name_of_folder("wordllama") == "wordllama"
    assert "|model:none|" in REGISTRY["perplexity"].signature
