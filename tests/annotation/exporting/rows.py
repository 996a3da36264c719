"""Rows that the tests of the writers share."""

import datetime as dt

from annotation.exporting import CodebookEntry, ItemBundle, ItemRecord, JudgeRecord, TidyRating

OPENED = dt.datetime(2026, 1, 1, 12, tzinfo=dt.UTC)


def rating(item_id, system, judge, dimension, value, *, judge_group="expert", **more):
    return TidyRating(
        study="demo",
        phase="main",
        dimension=dimension,
        item_id=item_id,
        batch="1",
        system=system,
        output_version=1,
        fact_id="",
        judge=judge,
        judge_group=judge_group,
        value=value,
        **more,
    )


RATINGS = [
    rating("007", "a", "J001", "fluency", 3.0, opened_at=OPENED, active_seconds=4.25, position=2),
    rating("007", "a", "J001", "comment", None, text='=SUM(1+1), "x"\nand more'),
    rating("007", "a", "J002", "fluency", None, missing_reason="skipped"),
    rating("007", "b", "J001", "fluency", 0.1, valid=False, excluded_by="too fast"),
    rating("1e3", "b", "J001", "fluency", -3.0),
]
ITEMS = [
    ItemBundle(
        ItemRecord("007", domain="news", source=("a\nsource",), references=("gold",)),
        {"a": "@first", "b": "second"},
        RATINGS[:4],
    ),
    ItemBundle(ItemRecord("1e3", source=("s2",)), {"a": "third", "b": "fourth"}, RATINGS[4:]),
]
JUDGES = [JudgeRecord("J001", "expert", n_ratings=4)]
CODEBOOK = [CodebookEntry("fluency", question="How fluent?", points=((1, "Poor"), (2, "Fair")))]
