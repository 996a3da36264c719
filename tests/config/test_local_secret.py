import stat

from config.settings.local_secret import read_local_secret


def test_a_secret_is_made_once_and_only_its_owner_may_read_it(monkeypatch, tmp_path):
    monkeypatch.delenv("CONCORD_SECRET_KEY", raising=False)
    file = tmp_path / "var" / "secret_key"

    secret = read_local_secret(file)

    assert len(secret) == 64
    assert read_local_secret(file) == secret
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_given_secret_is_taken_and_not_stored(monkeypatch, tmp_path):
    monkeypatch.setenv("CONCORD_SECRET_KEY", "given")
    file = tmp_path / "secret_key"

    assert read_local_secret(file) == "given"
    assert not file.exists()
