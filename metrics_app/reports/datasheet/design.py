"""Answers about the sample of outputs, the evaluators and the design (section 3)."""

from collections.abc import Callable

from annotation.design.exclusion_rules import read_rules, told_rules
from metrics_app.reports.datasheet.evidence import Evidence
from metrics_app.reports.findings import LOOKS

NONE = "none"
NO_REPORT = "none: no report of this study has been computed yet"
_LAYOUTS = {
    "one_output": "one output at a time",
    "page": "a page of outputs at a time",
    "item": "all systems' outputs for one item at a time",
    "batch": "a fixed batch of items at a time",
}


def n_outputs(evidence: Evidence) -> str:
    """Return how many outputs were evaluated, in all and by system."""
    if not evidence.report:
        return NO_REPORT
    overview = evidence.report["overview"]
    by_system: dict[str, int] = {}
    for row in evidence.report["means"]:
        by_system[row["system"]] = max(by_system.get(row["system"], 0), row["n_items"])
    parts = ", ".join(f"{system} {n:,}" for system, n in by_system.items())
    return f"{overview['n_outputs']:,} outputs of {overview['n_systems']} systems: {parts}"


def power(_evidence: Evidence) -> str:
    """Say that no power analysis is stored."""
    return "none: no power analysis is stored with this study"


def n_evaluators(evidence: Evidence) -> str:
    """Return the number of evaluators in each group."""
    groups = evidence.protocol["groups"]
    parts = [
        f"{group['n_judges']} in the group {group['name']} "
        f"({group['judges_per_unit']} planned for each output)"
        for group in groups
    ]
    kinds = [
        f"{evidence.conduct[name]} {words}"
        for name, words in (
            ("n_joint_judges", "are several people who answer together"),
            ("n_model_judges", "are language models"),
            ("n_simulated", "are simulated"),
        )
        if evidence.conduct[name]
    ]
    total = sum(group["n_judges"] for group in groups)
    return "; ".join([f"{total} in all: {', '.join(parts)}", *kinds]) if groups else NONE


def pay(_evidence: Evidence) -> str:
    """Say that no pay is stored."""
    return "none: no payment is recorded for this study"


def recruitment(evidence: Evidence) -> str:
    """Return how evaluators came: by personal link, or with imported ratings."""
    if evidence.conduct["n_imported"] and not evidence.conduct["n_collected"]:
        return "none: ratings were imported, and their file does not say how judges were recruited"
    return "none: no recruitment channel is connected; each judge was given a personal link"


def training(evidence: Evidence) -> str:
    """Return what evaluators read before they begin, suggestions included; there are no trials."""
    phases = evidence.protocol["phases"]
    n_words = sum(
        len(phase[name].split()) for phase in phases for name in ("instructions", "suggestions")
    )
    n_examples = sum(len(phase["examples"]) for phase in phases)
    read = []
    if n_words:
        read.append(f"written instructions of {n_words:,} words")
    if n_examples:
        read.append(f"{n_examples} worked examples")
    return f"none beside {' and '.join(read)}" if read else NONE


def characteristics(_evidence: Evidence) -> str:
    """Say that no screening is stored."""
    return "none: no screening of judges is recorded"


def medium(evidence: Evidence) -> str:
    """Return where answers were given."""
    conduct = evidence.conduct
    parts = []
    if conduct["n_collected"]:
        parts.append(
            f"in the browser, on the judges' page ({conduct['n_collected']:,} assignments)"
        )
    if conduct["n_imported"]:
        parts.append(f"elsewhere, and imported from files ({conduct['n_imported']:,} assignments)")
    return "; ".join(parts) or "none: nothing has been collected yet"


def assurance(evidence: Evidence) -> str:
    """Return what was done for the quality of answers."""
    percent = evidence.study["repeat_percent"]
    done = [f"{percent}% of the outputs shown again to the same judge"] if percent else []
    done += _blinding(evidence)
    if any(kind == "judge_excluded" for _, kind, _, _ in evidence.exclusions):
        done.append("exclusion of judges")
    return "; ".join(done) or NONE


def _blinding(evidence: Evidence) -> list[str]:
    """Return what was hidden from researchers until the closing, and looks behind it."""
    rules = (("hides_systems", "names of systems"), ("hides_results", "ratings and results"))
    done = [
        f"{words} hidden from the researchers until the closing"
        for rule, words in rules
        if evidence.study.get(rule)
    ]
    looks = [
        f"looked behind on {moment[:10]} ({kind.replace('_', ' ')}: {reason})"
        for moment, kind, _, reason in evidence.exclusions
        if kind in LOOKS or (kind == "blinding" and reason)
    ]
    return done + looks


def exclusions(evidence: Evidence) -> str:
    """Return the rules, every exclusion and later change with its reason, and what went."""
    rules = read_rules(evidence.study.get("exclusion_rules", []))
    told = [f"rules: {told_rules(rules)}"] if rules else []
    told += [
        f"{moment[:10]} {kind.replace('_', ' ')}: {what} ({reason or 'no reason given'})"
        for moment, kind, what, reason in evidence.exclusions
        if kind in {"judge_excluded", "exclusion_rules_changed"}
    ]
    left_out = evidence.report.get("overview", {}).get("n_left_out", {})
    told += [f"{n:,} ratings left out: {reason}" for reason, n in left_out.items() if n]
    return "; ".join(told) or NONE


def interface(evidence: Evidence) -> str:
    """Return where the words of the interface are kept."""
    return f"instructions, questions and scales in protocol.json of the bundle of {_slug(evidence)}"


def shown(evidence: Evidence) -> str:
    """Return what evaluators see."""
    study = evidence.study
    layout = _LAYOUTS.get(study["layout"], study["layout"])
    return (
        f"{study['source_title']} and {study['output_title']}, {layout}; names of systems and "
        "answers of other judges are not shown"
    )


def pace(evidence: Evidence) -> str:
    """Return how free evaluators are in time and pace."""
    return (
        "yes: judges stop and go on when they like; work drawn and left for "
        f"{evidence.study['lease_minutes']} minutes may be given to someone else"
    )


def feedback(evidence: Evidence) -> str:
    """Return whether evaluators can comment."""
    return "yes: a free comment on each output" if evidence.conduct["has_comments"] else NONE


def conditions(evidence: Evidence) -> str:
    """Return in what conditions evaluators work."""
    if not evidence.conduct["n_collected"]:
        return "none recorded: ratings were not collected here"
    return "not controlled: on a device and in a place of the judge's own choice"


def variation(evidence: Evidence) -> str:
    """Return what differs between evaluators."""
    study = evidence.study
    dimensions = (
        "each judge has an own order of dimensions"
        if study["shuffles_dimensions"]
        else "all judges meet dimensions in the same order"
    )
    passes = "one dimension a pass" if study["one_dimension_per_pass"] else "all on one page"
    seen = "meets each source once" if study["source_once_per_judge"] else "may meet a source again"
    return (
        f"outputs are drawn from the seed {study['seed']}; a judge {seen}; {dimensions}, {passes}"
    )


def _slug(evidence: Evidence) -> str:
    return str(evidence.study["slug"])


DESIGN_ANSWERS: dict[str, Callable[[Evidence], str]] = {
    "3.1.1": n_outputs,
    "3.1.3.1": power,
    "3.1.3.2": power,
    "3.1.3.3": power,
    "3.2.1": n_evaluators,
    "3.2.2.2": pay,
    "3.2.3": recruitment,
    "3.2.4": training,
    "3.2.5": characteristics,
    "3.3.2": medium,
    "3.3.3.1": assurance,
    "3.3.3.2": exclusions,
    "3.3.4.1": interface,
    "3.3.4.2": shown,
    "3.3.5": pace,
    "3.3.6": feedback,
    "3.3.7": conditions,
    "3.3.8": variation,
}
