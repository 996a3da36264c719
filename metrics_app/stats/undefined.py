"""Why a statistic can be undefined: the codes, and the sentence a person reads."""

REASONS = {
    "all_missing": "There is no rating at all.",
    "no_pairs": "No unit has two ratings.",
    "too_few_units": "There are too few units.",
    "too_few_systems": "There are too few systems.",
    "too_few_raters": "There are too few raters.",
    "one_category": "All ratings are equal, so agreement beyond chance cannot be told from chance.",
    "chance_is_certain": "By these weights every pair agrees; nothing is left to correct.",
    "no_variance": "The values do not vary.",
    "no_error_variance": "Only the means differ and nothing varies beside them: it is infinite.",
    "no_shared_output": "No output has a score of every metric and a rating.",
    "no_human_systems": "No system is marked as written by people.",
    "not_a_share": "The published coefficients take shares from 0 to 1, not percent.",
    "no_difference": "All differences are zero.",
    "constant_input": "One of the two series is constant.",
    "no_defined_group": "It is undefined in every group.",
    "no_defined_pair": "It is undefined for every pair of raters, or no pair shares enough units.",
    "not_identified": "The data do not determine it.",
    "incomplete": "The method needs complete data, and some are missing.",
    "too_many_levels": "There are too many judges and items for this model.",
    "on_request": "It takes long on this many ratings; ask for it when you request the report.",
    "out_of_reach": "No size that was considered reaches it.",
    "tie": "Several labels share the first place.",
    "not_on_this_scale": "It does not apply to this kind of scale.",
    # of an automatic metric on one output
    "no_reference": "The item has no reference.",
    "no_source": "The item has no source text.",
    "no_prior": "The item has no prior reference.",
    "empty_output": "The output is empty.",
    "empty_reference": "The reference is empty.",
    "empty_source": "The source text is empty.",
    "erased_by_tokenizer": "The tokenizer leaves nothing of the text; choose the Unicode one.",
    "too_short": "The text is too short for this metric.",
    "too_long": "The text is too long for this metric.",
    "no_known_word": "The embedding model knows no word of the text.",
    "not_configured": "What the metric needs is not set up here.",
    "failed": "The metric failed on this output.",
    # of a language model as a judge
    "refused": "The language model declined to answer.",
    "unparsable": "The answer holds no number of the scale.",
    "one_label_in_calibration": "Of what both judged, people gave one label only.",
    "model_guesses": "The model's labels tell no more than chance what people say.",
}


def explain(code: str) -> str:
    """Return the sentence for a reason code."""
    return REASONS.get(code, code)
