"""Rank tests as JSON lines."""

from collections.abc import Mapping
from typing import Any

from metrics_app.stats.lines import Handler
from metrics_app.stats.lines.comparison import given_groups, of_test
from metrics_app.stats.rank_tests import friedman, kruskal_wallis, mann_whitney
from metrics_app.stats.signed_rank import sign_test, wilcoxon_signed_rank

Given = Mapping[str, Any]


def _kruskal(options: Given, data: Given) -> Given:
    correct = options.get("ties", "corrected") == "corrected"
    result = kruskal_wallis(given_groups(data), correct_ties=correct)
    return of_test(result, {"H": result.value, "df": result.df[0]}, **result.effects)


def _mann_whitney(options: Given, data: Given) -> Given:
    x, y = given_groups(data).values() if "groups" in data else (data["x"], data["y"])
    result = mann_whitney(
        x,
        y,
        alternative=options.get("alternative", "two-sided"),
        method=options.get("method", "auto"),
        continuity=options.get("continuity", True),
    )
    value = {"U_x": result.value, "U_y": result.details.get("u_y"), "z": result.details.get("z")}
    return of_test(result, value, **result.effects)


def _wilcoxon(options: Given, data: Given) -> Given:
    result = wilcoxon_signed_rank(
        *_pairs(data),
        zero_method=options.get("zero_method", "wilcox"),
        alternative=options.get("alternative", "two-sided"),
        method=options.get("method", "auto"),
        continuity=options.get("continuity", False),
    )
    facts = {"W_minus": result.details.get("w_minus"), "z": result.details.get("z")}
    return of_test(result, {"W_plus": result.value, **facts}, **result.effects)


def _sign(options: Given, data: Given) -> Given:
    result = sign_test(*_pairs(data), alternative=options.get("alternative", "two-sided"))
    return of_test(result, {"n_plus": result.value, "n": result.details.get("n")})


def _pairs(data: Given) -> tuple[Any, ...]:
    return (data["d"],) if "d" in data else (data["x"], data["y"])


def _friedman(_options: Given, data: Given) -> Given:
    result = friedman(data["ratings"])
    return of_test(result, {"chi2": result.value, "df": result.df[0]}, **result.effects)


HANDLERS: dict[str, Handler] = {
    "kruskal_wallis": _kruskal,
    "mann_whitney": _mann_whitney,
    "wilcoxon_signed_rank": _wilcoxon,
    "sign_test": _sign,
    "friedman": _friedman,
}
