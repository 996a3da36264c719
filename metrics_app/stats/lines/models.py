"""Mixed and ordinal models as JSON lines."""

import re
from collections.abc import Mapping
from typing import Any

from metrics_app.stats.lines import Handler
from metrics_app.stats.mixed_models import indicators, mixed_model
from metrics_app.stats.ordinal import ordinal_regression

Given = Mapping[str, Any]


def _mixed(options: Given, data: Given) -> Given:
    """Answer ``outcome ~ covariate + ... + (1|factor) + ...``.

    Rows hold the variables in the order in which the formula names them, or in that of
    ``data["columns"]``. With one covariate its slope is also called ``slope``.
    """
    if options.get("method", "REML") != "REML":
        raise ValueError(f"method is REML, not {options['method']!r}")
    outcome, fixed, random = _read_formula(options["formula"])
    columns = _columns(data, [outcome, *fixed, *random])
    covariates = _numeric({name: columns[name] for name in fixed})
    found = mixed_model(columns[outcome], covariates, {name: columns[name] for name in random})
    if found.undefined:
        return {"undefined": found.undefined}
    value = {name: one.value for name, one in found.coefficients.items()}
    errors = {name: one.se for name, one in found.coefficients.items()}
    if len(covariates) == 1:
        slope = next(iter(covariates))
        value["slope"], errors["slope"] = value[slope], errors[slope]
    value |= {f"var_{name.lower()}": part for name, part in found.variances.items()}
    value["reml_criterion"] = found.reml_criterion
    p = {name: one.p for name, one in found.coefficients.items()}
    return {"value": value, "se": errors, "p": p}


def _ordinal(options: Given, data: Given) -> Given:
    outcome, fixed, random = _read_formula(options["formula"])
    if random:
        raise ValueError("ordinal_regression has no random factors: leave out (1|...)")
    columns = _columns(data, [outcome, *fixed])
    found = ordinal_regression(columns[outcome], _numeric({name: columns[name] for name in fixed}))
    if found.undefined:
        return {"undefined": found.undefined}
    return {
        "value": {
            **{name: one.value for name, one in found.coefficients.items()},
            "thresholds": found.thresholds,
            "log_likelihood": found.log_likelihood,
        },
        "se": {name: one.se for name, one in found.coefficients.items()},
        "p": {name: one.p for name, one in found.coefficients.items()},
    }


def _read_formula(formula: str) -> tuple[str, list[str], list[str]]:
    outcome, tilde, right = formula.partition("~")
    random = re.findall(r"\(\s*1\s*\|\s*([^)|]+?)\s*\)", right)
    plain = re.sub(r"\(\s*1\s*\|[^)]*\)", "", right)
    fixed = [term.strip() for term in plain.split("+") if term.strip() not in ("", "1")]
    odd = [term for term in fixed if not re.fullmatch(r"\w+", term)]
    if not tilde or odd:
        raise ValueError(
            f"the formula {formula!r} must read 'outcome ~ covariate + (1|factor)'"
            + (f"; {odd[0]!r} is not understood" if odd else "")
        )
    return outcome.strip(), fixed, random


def _columns(data: Given, names: list[str]) -> dict[str, list[Any]]:
    order = data.get("columns", names)
    lost = [name for name in names if name not in order]
    if lost:
        raise ValueError(f"the rows have no column {lost[0]!r}: they have {list(order)}")
    ragged = [number for number, row in enumerate(data["rows"], 1) if len(row) != len(order)]
    if ragged:
        raise ValueError(f"row {ragged[0]} does not have the {len(order)} columns {list(order)}")
    columns: list[list[Any]] = [[row[i] for row in data["rows"]] for i in range(len(order))]
    return dict(zip(order, columns, strict=True))


def _numeric(columns: Mapping[str, list[Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, column in columns.items():
        is_text = any(isinstance(value, str) for value in column)
        found |= indicators(column, name=name) if is_text else {name: column}
    return found


HANDLERS: dict[str, Handler] = {"mixed_model": _mixed, "ordinal_regression": _ordinal}
