import pytest

from annotation.importing import Limits, ReadOptions, UnreadableFile, decoding, dry_run, read
from annotation.importing.decoding import survey_text


def survey(path, content, **options):
    path.write_bytes(content)
    return survey_text(path, ReadOptions(**options))


@pytest.mark.parametrize(
    ("content", "newline"),
    [
        (b"a\nb\n", "LF"),
        (b"a\r\nb\r\n", "CRLF"),
        (b"a\rb\r", "CR"),
        (b"a\nb\r\nc", "CRLF and LF"),
        (b"abc", ""),
    ],
)
@pytest.mark.parametrize("block", [1, 2, 3, 1 << 20])
def test_newlines_are_told_wherever_blocks_end(tmp_path, monkeypatch, content, newline, block):
    monkeypatch.setattr(decoding, "BLOCK", block)

    assert survey(tmp_path / "text", content).newline == newline


@pytest.mark.parametrize("block", [1, 7, 1 << 20])
def test_a_bad_byte_is_found_on_its_line_wherever_blocks_end(tmp_path, monkeypatch, block):
    monkeypatch.setattr(decoding, "BLOCK", block)

    (found,) = survey(tmp_path / "text", b"id,output\n1,caf\xc3\xa9\n2,caf\xe9 au lait\n").findings

    assert (found.kind, found.line, found.value) == ("undecodable_bytes", 3, "byte 0xE9")


@pytest.mark.parametrize(
    ("codec", "text"),
    [
        ("cp1252", "id,output\n1,“naïve” façade – 5 €\n"),
        ("cp1251", "id,output\n1,Отель очень хороший, но номера слишком маленькие и тесные\n" * 5),
        ("gb18030", "id,output\n1,这家店的服务很好，但是等位时间太长，下次不会再来了\n" * 5),
        ("shift_jis", "id,output\n1,とても美味しかったです。また行きたいと思います。\n" * 5),
        # Short files, as people really try an importer with.
        ("cp1252", "id,output\n1,Das Frühstück war schön\n2,Größe und Straße\n"),
        ("cp1252", "id,output\n1,El niño comió la piña. ¿Sí?\n2,¡Qué bien!\n"),
        ("cp1250", "id,output\n1,Jedzenie było pyszne\n2,Pokój był mały, ale źle położony\n"),
        ("cp1250", "id,output\n1,Příjemná obsluha\n2,Pokoj byl čistý a děkuji\n"),
        ("cp1250", "id,output\n1,Az étel nagyon jó és bőséges volt, örülök\n"),
        ("cp1251", "id,output\n1,Еда была очень вкусной\n2,Комната маленькая\n"),
        ("koi8_r", "id,output\n1,Еда была очень вкусной\n2,Комната маленькая\n"),
        ("cp1253", "id,output\n1,Το φαγητό ήταν πολύ καλό\n2,Το δωμάτιο ήταν μικρό\n"),
        ("cp1254", "id,output\n1,Yemek çok güzeldi, teşekkürler\n2,Oda ışıklıydı\n"),
        ("cp1255", "id,output\n1,האוכל היה טוב מאוד\n2,החדר היה קטן אבל נקי\n"),
        ("cp1256", "id,output\n1,كان الطعام جيدا جدا\n2,كانت الغرفة صغيرة\n"),
        ("mac_roman", "id,output\n1,Crème brûlée était délicieuse\n2,L’hôtel est très bien\n"),
        ("euc_jp", "id,output\n1,料理はとても美味しかったです\n2,部屋は狭いが清潔でした\n"),
        ("euc_kr", "id,output\n1,음식이 정말 맛있었습니다\n2,방은 작지만 깨끗했습니다\n"),
        ("big5", "id,output\n1,食物非常好吃而且很熱\n2,房間很小但是很乾淨\n"),
    ],
)
def test_other_encodings_are_guessed_and_the_text_is_right(tmp_path, codec, text):
    path = tmp_path / "text.csv"

    found = survey(path, text.encode(codec))

    assert [entry.kind for entry in found.findings] == ["encoding_guessed"]
    assert text.encode(codec).decode(found.encoding) == text


def test_the_encoding_given_is_taken_and_its_first_bad_byte_named(tmp_path):
    path = tmp_path / "text.csv"
    path.write_bytes("id,system,output\n1,a,é\n".encode("cp1252"))

    report = dry_run(path, kind="outputs", options=ReadOptions(encoding="utf-8"))

    assert report.outcome == "reject"
    assert [(found.kind, found.line, found.value) for found in report.findings] == [
        ("bad_encoding", 2, "byte 0xE9")
    ]
    report = dry_run(path, kind="outputs", options=ReadOptions(encoding="cp1252"))
    assert (report.outcome, report.n_clean) == ("accept", 1)


def test_an_encoding_that_does_not_exist_is_named(tmp_path):
    path = tmp_path / "text.csv"
    path.write_bytes(b"id,output\n")

    with pytest.raises(UnreadableFile, match="no encoding 'utf-9'"):
        read(path, kind="outputs", options=ReadOptions(encoding="utf-9"))


def test_bad_bytes_may_be_accepted_as_signs(tmp_path):
    path = tmp_path / "text.csv"
    path.write_bytes(b"id,system,output\n1,a,caf\xc3\xa9 \xe9\n")

    asked = dry_run(path, kind="outputs")
    accepted = dry_run(path, kind="outputs", options=ReadOptions(bad_bytes="replace"))

    assert asked.outcome == "ask"
    assert accepted.outcome == "accept_with_warnings"


def test_text_encoded_twice_is_suspected(tmp_path):
    twice = "It’s a café".encode().decode("cp1252")

    (found,) = survey(tmp_path / "text", f"id,output\n1,{twice}\n".encode()).findings

    assert found.kind == "double_encoding_suspected"


def test_a_file_over_the_limit_is_refused_before_it_is_read(tmp_path):
    path = tmp_path / "big.csv"
    path.write_bytes(b"id,system,output\n" * 10)

    report = dry_run(path, kind="outputs", options=ReadOptions(limits=Limits(size=100)))

    assert dict(report.counts) == {"too_large": 1}


@pytest.mark.parametrize(
    ("codec", "lines"),
    [
        ("iso8859_2", ["Ten samochód ma wnętrze, które śmierdzi."]),
        ("cp1250", ["Ten samochód ma wnętrze, które śmierdzi."]),
        ("iso8859_2", ["Żółty fotel był świetny, a łóżko zbyt miękkie."]),
        ("cp1250", ["Żółty fotel był świetny, a łóżko zbyt miękkie."]),
        ("iso8859_2", ["Příliš žluťoučký kůň úpěl ďábelské ódy."]),
        ("iso8859_2", ["Osoblje je bilo ljubazno, ali soba previše mala.", "Čista plaža."]),
        ("cp1250", ["Čudovit hotel, vendar je bučno.", "Še enkrat bomo šli."]),
        ("cp1252", ["Ça n'a pas marché, j'ai été déçu."]),
        ("mac_roman", ["Le service était très lent, mais délicieuse."]),
        ("gb18030", ["好,坏,大"]),
        ("gb18030", ["我 喜 欢 这 个 酒 店"]),
        ("big5", ["好,壞,大"]),
        ("cp949", ["좋음,나쁨,보통"]),
        ("cp932", ["最高,不満,普通"]),
        ("euc_jp", ["最高,不満,普通"]),
    ],
)
def test_few_letters_tell_the_encoding_by_their_language(tmp_path, codec, lines):
    text = "id;system;output\n" + "".join(f"{at};a;{line}\n" for at, line in enumerate(lines))
    path = tmp_path / "outputs.csv"
    path.write_bytes(text.encode(codec))

    reading = read(path, kind="outputs")

    assert [row.cells[2] for row in reading.sample()] == lines
    assert [found.kind for found in reading.findings] == ["encoding_guessed"]
