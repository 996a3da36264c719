"""Hold a ledger against the database: ``python -m tests.proof.verify LEDGER``, JSON out."""

import json
import sys
from pathlib import Path

import django


def main(path):
    django.setup()
    print(json.dumps(findings(json.loads(Path(path).read_text()))))


def findings(ledger):
    """Return how many things are not as the judges were told; all zero is sound."""
    from django.utils import timezone

    from annotation.models import Assignment, Rating, RatingEvent, Study
    from annotation.selectors.audit import audit_study

    rows = Rating.objects.values_list("assignment__handle", "dimension__key", "value")
    answers = [(f"{handle}/{key}", value) for handle, key, value in rows]
    stored = dict(answers)
    events = [str(one) for one in RatingEvent.objects.values_list("client_uuid", flat=True)]
    submitted = Assignment.objects.filter(submitted_at__isnull=False)
    handles = {str(one) for one in submitted.values_list("handle", flat=True)}
    study = Study.objects.get()
    return {
        "lost": sum(stored.get(key) != value for key, value in ledger["ratings"].items())
        + len(set(ledger["uuids"]) - set(events)),
        "doubled": len(answers) - len(stored) + len(events) - len(set(ledger["uuids"])),
        "hand-ins lost": len(set(ledger["handed_in"]) - handles),
        "units not at k": units_not_at_k(study),
        "deviations": len(audit_study(study, at=timezone.now()).deviations),
    }


def units_not_at_k(study):
    """Count the units without exactly k valid judgements by k judges, or with further ones."""
    from collections import Counter

    from annotation.models import Assignment
    from annotation.selectors.places import VALID

    k = study.groups.get().judges_per_unit
    handed_in = Counter(
        Assignment.objects.filter(submitted_at__isnull=False).values_list("unit", flat=True)
    )
    pairs = set(Assignment.objects.filter(VALID).values_list("unit", "judge"))
    valid = Counter(unit for unit, _ in pairs)
    units = study.units.values_list("pk", flat=True)
    return sum(not (valid[unit] == handed_in[unit] == k) for unit in units)


if __name__ == "__main__":
    main(sys.argv[1])
