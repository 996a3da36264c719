"""The dependency parser that the administrator names, which ROUGE-BE counts by."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from django.conf import settings
from django.utils.module_loading import import_string

Triples = Iterable[tuple[str, str, str]]
HOW = "Name one in CONCORD_DEPENDENCY_PARSER, as package.module.function."


@dataclass(frozen=True)
class NamedParser:
    """A function from a text to (head, modifier, relation); a signature has it by its path."""

    path: str
    parse: Callable[[str], Triples] = field(repr=False)

    @property
    def __name__(self) -> str:
        return self.path

    def __call__(self, text: str) -> Triples:
        """Return the dependencies of a text."""
        return self.parse(text)


def configured_parser() -> NamedParser | None:
    """Return the parser that is named, or None where none is.

    Raises
    ------
    ValueError
        Where what is named is not there or is no function.
    """
    path: str = settings.CONCORD_DEPENDENCY_PARSER
    if not path:
        return None
    try:
        parse = import_string(path)
    except ImportError as fault:
        raise ValueError(f"CONCORD_DEPENDENCY_PARSER: {fault}") from fault
    if not callable(parse):
        raise ValueError(f"CONCORD_DEPENDENCY_PARSER: {path} is no function.")  # noqa: TRY004 -- a setting
    return NamedParser(path, parse)
