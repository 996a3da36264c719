"""Rules, declared before the first rating, of which judges are to be excluded, and whom they catch.

A rule only names judges; to exclude one stays an act of a person.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from statistics import correlation, fmean, median
from typing import Any, TypeVar

FAST, STRAIGHT, DISAGREEING = "fast", "same_answer", "disagreeing"
# What each kind measures and catches, the unit of its threshold, and the limits of that.
_KINDS: dict[str, tuple[str, str, float, float]] = {
    FAST: ("median active time on an output below", " s", 0, 86_400),
    STRAIGHT: ("share of the commonest answer to each question above", "%", 0, 100),
    DISAGREEING: ("correlation with the mean of the other judges below", "", -1, 1),
}
Judge = TypeVar("Judge", bound=Hashable)
KINDS = tuple(_KINDS)
# A correlation of two points is always one.
MIN_OUTPUTS, USUAL_OUTPUTS, MAX_OUTPUTS = 3, 10, 100_000

# What a judge answered: by question (a dimension), by what it was asked of (an output or its fact).
Answers = Mapping[Hashable, Mapping[Hashable, float | str]]
# Numbers given: by question, by what it was asked of, by judge.
_Numbers = Mapping[Hashable, Mapping[Hashable, dict[Hashable, float]]]


@dataclass(frozen=True, slots=True)
class ExclusionRule:
    """One rule: ``threshold`` in seconds, per cent or as a correlation, by kind.

    It says nothing of judges who rated fewer than ``n_outputs`` outputs.
    """

    kind: str
    threshold: float
    n_outputs: int = USUAL_OUTPUTS

    def __str__(self) -> str:
        words, unit, _, _ = _KINDS[self.kind]
        return f"{words} {self.threshold:g}{unit}, from {self.n_outputs} outputs on"


@dataclass(frozen=True, slots=True)
class JudgeWork:
    """What one judge did: active seconds on each output whose time is known, and all answers.

    ``n_outputs`` counts the outputs (or comparisons) handed in.
    """

    n_outputs: int
    seconds: Sequence[float] = ()
    answers: Answers = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a rule says of a judge.

    ``value`` is None where the rule says nothing, and ``undefined`` then tells why and what is
    needed. ``n_outputs`` counts the outputs that the value rests on.
    """

    rule: ExclusionRule
    value: float | None
    n_outputs: int
    undefined: str = ""

    @property
    def is_caught(self) -> bool:
        """Whether the judge is to be excluded under the rule; on the threshold nobody is."""
        if self.value is None:
            return False
        if self.rule.kind == STRAIGHT:
            return self.value > self.rule.threshold
        return self.value < self.rule.threshold

    @property
    def found(self) -> str:
        """The value with its unit, or why there is none."""
        if self.value is None:
            return self.undefined
        digits = 2 if self.rule.kind == DISAGREEING else 1
        return f"{self.value:.{digits}f}{_KINDS[self.rule.kind][1]}"

    @property
    def reason(self) -> str:
        """The sentence under which a judge who is caught is excluded."""
        return f"Rule: {self.rule}: {self.found} on {self.n_outputs} outputs"


def read_rules(declared: object) -> tuple[ExclusionRule, ...]:
    """Return the rules that are declared as plain values, in the order of the kinds.

    Parameters
    ----------
    declared : list of mapping
        Each with ``kind``, ``threshold`` and, if not 10, ``n_outputs``.

    Raises
    ------
    ValueError
        A sentence: what is wrong with which rule.
    """
    if not isinstance(declared, list | tuple):
        raise ValueError("Exclusion rules are a list.")  # noqa: TRY004 -- callers show sentences
    rules = [_read_rule(number, rule) for number, rule in enumerate(declared, start=1)]
    twice = [kind for kind, n in Counter(rule.kind for rule in rules).items() if n > 1]
    if twice:
        raise ValueError(f"There are two exclusion rules of the kind {twice[0]}; keep one.")
    return tuple(sorted(rules, key=lambda rule: KINDS.index(rule.kind)))


def plain_rules(rules: Iterable[ExclusionRule]) -> list[dict[str, Any]]:
    """Return rules as plain values, as `read_rules` takes them."""
    return [
        {"kind": rule.kind, "threshold": rule.threshold, "n_outputs": rule.n_outputs}
        for rule in rules
    ]


def told_rules(rules: Iterable[ExclusionRule]) -> str:
    """Return rules as words; ``none`` where there are none."""
    return "; ".join(map(str, rules)) or "none"


def rule_verdicts(
    rules: Sequence[ExclusionRule],
    works: Mapping[Judge, JudgeWork],
    counted: Collection[Judge],
) -> dict[Judge, list[Verdict]]:
    """Return by judge what each rule says.

    Parameters
    ----------
    works : mapping of judge to JudgeWork
        The judges of one group.
    counted : collection of judge
        Those whose answers others are held against; nobody is held against themselves.
    """
    numbers: _Numbers = defaultdict(lambda: defaultdict(dict))
    for judge in works:
        if judge in counted:
            for question, given in works[judge].answers.items():
                for unit, answer in given.items():
                    if isinstance(answer, float):
                        numbers[question][unit][judge] = answer
    return {
        judge: [_verdict(rule, *_measured(rule.kind, judge, work, numbers)) for rule in rules]
        for judge, work in works.items()
    }


def _verdict(rule: ExclusionRule, value: float | None, n: int) -> Verdict:
    if n < rule.n_outputs:
        what = {FAST: " with a known time", DISAGREEING: " that others rated, too"}
        needed = f"{n} of {rule.n_outputs} outputs{what.get(rule.kind, '')}"
        return Verdict(rule, None, n, f"too few: {needed}")
    if value is None:
        return Verdict(rule, None, n, "undefined: there are no answers, or they do not differ")
    return Verdict(rule, value, n)


def _measured(
    kind: str, judge: Hashable, work: JudgeWork, numbers: _Numbers
) -> tuple[float | None, int]:
    """Return a value, if it is defined, and how many outputs it rests on."""
    if kind == FAST:
        return (median(work.seconds) if work.seconds else None), len(work.seconds)
    if kind == STRAIGHT:
        return _same_answer_percent(work.answers), work.n_outputs
    return _correlation_with_others(judge, work.answers, numbers)


def _same_answer_percent(answers: Answers) -> float | None:
    """Return the share of answers that are the judge's commonest to their question."""
    counts = [Counter(given.values()) for given in answers.values() if given]
    if not counts:
        return None
    return 100 * sum(max(one.values()) for one in counts) / sum(map(Counter.total, counts))


def _correlation_with_others(
    judge: Hashable, answers: Answers, numbers: _Numbers
) -> tuple[float | None, int]:
    """Return the mean over questions of Pearson's r with the mean of the others.

    It rests on as many outputs as were answered together on the question with most of these.
    """
    found, n_most = [], 0
    for question, given in answers.items():
        pairs = [
            (answer, fmean(rest))
            for unit, answer in given.items()
            if isinstance(answer, float)
            and (rest := [n for one, n in numbers[question][unit].items() if one != judge])
        ]
        n_most = max(n_most, len(pairs))
        own, theirs = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
        if len(set(own)) > 1 and len(set(theirs)) > 1:
            found.append(correlation(own, theirs))
    return (fmean(found) if found else None), n_most


def _read_rule(number: int, declared: object) -> ExclusionRule:
    where = f"Exclusion rule {number}"
    if not isinstance(declared, Mapping) or not set(declared) <= {"kind", "threshold", "n_outputs"}:
        raise ValueError(f"{where} needs kind, threshold and, if wanted, n_outputs, nothing else.")
    kind = declared.get("kind")
    if not isinstance(kind, str) or kind not in _KINDS:
        raise ValueError(f"{where} is of no known kind; there are {', '.join(KINDS)}.")
    low, high = _KINDS[kind][2:]
    threshold = _number(declared.get("threshold"))
    if threshold is None or not low <= threshold <= high:
        raise ValueError(f"{where} ({kind}) needs a threshold from {low:g} to {high:g}.")
    n_outputs = declared.get("n_outputs", USUAL_OUTPUTS)
    if type(n_outputs) is not int or not MIN_OUTPUTS <= n_outputs <= MAX_OUTPUTS:
        raise ValueError(f"{where} ({kind}) needs n_outputs from {MIN_OUTPUTS} to {MAX_OUTPUTS:,}.")
    return ExclusionRule(kind, threshold, n_outputs)


def _number(value: object) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and isfinite(value) else None  # type: ignore[arg-type]
