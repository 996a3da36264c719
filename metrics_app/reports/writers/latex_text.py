"""Any text as LaTeX: no command in it is seen, and no character stops the run."""

import unicodedata

_SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#",
    "_": r"\_", "%": r"\%", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "`": r"\textasciigrave{}", "\N{MINUS SIGN}": "$-$", "±": r"$\pm$", "×": r"$\times$",
    "<": r"\textless{}", ">": r"\textgreater{}",
    "α": r"$\alpha$", "η": r"$\eta$", "κ": r"$\kappa$", "ρ": r"$\rho$", "τ": r"$\tau$",
}  # fmt: skip
# What would be drawn together as another sign: two hyphens as a dash, two quotes as one.
_JOINED = ("--", "''", ",,")
# Format, control and surrogate characters: nothing to see, and much to trip over.
_UNSEEN = ("Cc", "Cf", "Cs")
# Beyond ASCII, what fonts in the T1 encoding draw: Latin letters, dashes and quotes.
_LAST_LATIN = 0x17F
_NO_LATIN = "ĦħĸĿŀŉŦŧſ"
_SIGNS = "–—‘’‚“”„‹›‰…†‡•"


def escape(text: str) -> str:
    """Return text in which LaTeX sees no command; white space becomes single spaces."""
    seen = unicodedata.normalize("NFC", " ".join(text.split()))
    kept = (one for one in seen if unicodedata.category(one) not in _UNSEEN)
    escaped = "".join(_SPECIAL.get(one, one) for one in kept)
    for pair in _JOINED:
        while pair in escaped:
            escaped = escaped.replace(pair, f"{pair[0]}{{}}{pair[1]}")
    return escaped


def declarations(*texts: str) -> list[str]:
    """Return what lets pdfLaTeX go on at characters that its fonts lack: it prints their code.

    Elsewhere than in Latin script a paper needs fonts of its own, and XeLaTeX or LuaLaTeX.
    """
    lacking = sorted({one for text in texts for one in text if _is_lacking(one)})
    return [rf"\DeclareUnicodeCharacter{{{ord(one):04X}}}{{[U+{ord(one):04X}]}}" for one in lacking]


def _is_lacking(one: str) -> bool:
    if one.isascii() or one in _SIGNS:
        return False
    return ord(one) > _LAST_LATIN or one in _NO_LATIN
