"""Personal links: who opens one."""

from django.core import signing

from annotation.models import Judge

_SALT = "concord.judge"


def judge_token(judge: Judge) -> str:
    """Return the signed token of a judge's personal link."""
    return signing.dumps([judge.pk, judge.link_version], salt=_SALT)


def judge_of_token(token: str) -> Judge | None:
    """Return the judge a token was made for; None where it is forged, garbled or revoked."""
    try:
        pk, link_version = signing.loads(token, salt=_SALT)
    except (signing.BadSignature, ValueError, TypeError):
        return None
    judges = Judge.objects.select_related("study", "group")
    return judges.filter(pk=pk, link_version=link_version).first()


def judge_path(judge: Judge) -> str:
    """Return the path of a judge's personal link."""
    return f"/j/{judge_token(judge)}/"
