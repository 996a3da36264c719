"""Linear regression as JSON lines: ``y`` and rows ``X`` (the intercept is added)."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from metrics_app.stats.linear_fit import Fit
from metrics_app.stats.lines import Handler
from metrics_app.stats.regression import ols, robust_regression

Json = Mapping[str, Any]


def _as_answer(fit: Fit) -> dict[str, Any]:
    if fit.undefined:
        return {"undefined": fit.undefined, "n": fit.n, "n_missing": fit.n_missing}
    has_errors = not np.isnan(fit.se).any()
    return {
        "value": fit.coefficients,
        "se": fit.se if has_errors else None,
        "ci": fit.ci or None,
        "p": fit.p if has_errors else None,
        "df": fit.df,
        "scale": fit.scale,
        "r_squared": fit.r_squared,
        "n": fit.n,
        "n_missing": fit.n_missing,
        "method": fit.method,
    }


def _ols(options: Json, data: Json) -> dict[str, Any]:
    confidence = options.get("confidence", 0.95)
    return _as_answer(ols(_rows(data), _numbers(data["y"]), confidence=confidence))


# Tukey's loss goes by his name and by two of its own.
_PSI: dict[Any, Any] = {"tukey": "bisquare", "biweight": "bisquare"}


def _robust(options: Json, data: Json) -> dict[str, Any]:
    psi: Any = options.get("psi", "huber")
    fit = robust_regression(
        _rows(data),
        _numbers(data["y"]),
        psi=_PSI.get(psi, psi),
        k=options.get("k"),
        confidence=options.get("confidence", 0.95),
    )
    return _as_answer(fit)


def _rows(data: Json) -> Any:  # noqa: ANN401 -- numpy reads any nesting
    return _numbers(data["X"] if "X" in data else data["x"])


def _numbers(values: Any) -> Any:  # noqa: ANN401 -- nested lists of any depth
    return np.array(values, dtype=np.float64)  # None becomes NaN


HANDLERS: dict[str, Handler] = {"ols": _ols, "robust_regression": _robust}
