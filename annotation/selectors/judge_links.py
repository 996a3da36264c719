"""Personal links: who opens one."""

from typing import NamedTuple

from django.core import signing
from django.db.models import QuerySet
from django.utils.crypto import salted_hmac

from annotation.enums import JudgeKind
from annotation.models import Judge, Study

_SALT = "concord.judge"


def judge_token(judge: Judge) -> str:
    """Return the signed token of a judge's personal link."""
    return signing.dumps([judge.pk, judge.link_version], salt=_SALT)


def judge_mark(judge: Judge) -> str:
    """Return what a browser knows the judge by, the same for each of their links."""
    return salted_hmac(_SALT, str(judge.pk)).hexdigest()[:16]


class Claim(NamedTuple):
    """What a token says, and its signature proves: whose link of which version it is."""

    judge: int
    link_version: int


def claim_of_token(token: str) -> Claim | None:
    """Return what a token claims, without a query; None where it is forged or garbled."""
    try:
        pk, link_version = signing.loads(token, salt=_SALT)
    except (signing.BadSignature, ValueError, TypeError):
        return None
    return Claim(pk, link_version)


def judge_of_claim(claim: Claim) -> Judge | None:
    """Return the judge whose link it is; None where the link was revoked, or opens no person's."""
    # A language model answers through its endpoint; nobody may answer in its name.
    judges = Judge.objects.select_related("study", "group").exclude(kind=JudgeKind.MODEL)
    return judges.filter(pk=claim.judge, link_version=claim.link_version).first()


def language_of_claim(claim: Claim) -> str:
    """Return the language that the judge has chosen; empty where the browser's holds."""
    chosen = Judge.objects.filter(pk=claim.judge).values_list("preferences", flat=True).first()
    return str((chosen or {}).get("language", ""))


def judge_of_token(token: str) -> Judge | None:
    """Return the judge a token was made for; None where it is forged, garbled or revoked."""
    claim = claim_of_token(token)
    return claim and judge_of_claim(claim)


def judge_path(judge: Judge) -> str:
    """Return the path of a judge's personal link."""
    return f"/j/{judge_token(judge)}/"


def invited_judges(study: Study) -> QuerySet[Judge]:
    """Return, with their groups, the people of a study who may still judge by their links."""
    return (
        Judge.objects.filter(study=study, excluded_at=None, withdrawn_at=None, is_simulated=False)
        .exclude(kind=JudgeKind.MODEL)
        .select_related("group")
        .order_by("pk")
    )
