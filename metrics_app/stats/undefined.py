"""Why a statistic can be undefined: the codes, and the sentence a person reads."""

REASONS = {
    "all_missing": "There is no rating at all.",
    "no_pairs": "No unit has two ratings.",
    "too_few_units": "There are too few units.",
    "too_few_raters": "There are too few raters.",
    "one_category": "All ratings are equal, so agreement beyond chance cannot be told from chance.",
    "no_variance": "The values do not vary.",
    "constant_input": "One of the two series is constant.",
    "no_defined_group": "It is undefined in every group.",
    "not_identified": "The data do not determine it.",
    "incomplete": "The method needs complete data, and some are missing.",
    "tie": "Several labels share the first place.",
    "not_on_this_scale": "It does not apply to this kind of scale.",
}


def explain(code: str) -> str:
    """Return the sentence for a reason code."""
    return REASONS.get(code, code)
