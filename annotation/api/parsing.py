"""What a judge's page sends, read strictly: JSON alone, each name once, whole characters."""

import json
from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser

from annotation.importing.json_values import RepeatedKeyError, unique

_NO_JSON = _("The body is not JSON in UTF-8.")


class StrictJSONParser(JSONParser):
    """Reads a body that means one thing only; everything else is malformed (400)."""

    def parse(
        self,
        stream: Any,  # noqa: ANN401 -- the framework's signature
        media_type: str | None = None,  # noqa: ARG002 -- the framework's signature
        parser_context: Any = None,  # noqa: ANN401, ARG002 -- the framework's signature
    ) -> Any:  # noqa: ANN401 -- as sent
        """Return the body.

        Raises
        ------
        ParseError
            It is no JSON, nests too deeply, has a name twice, half a character, or no number
            (NaN, Infinity) where one is meant.
        """
        try:
            text = stream.read().decode()
            body = json.loads(text, object_pairs_hook=unique, parse_constant=_refuse)
            if "\\u" in text:
                json.dumps(body, ensure_ascii=False).encode()
        except RepeatedKeyError:
            raise ParseError(_("A name stands twice in the body.")) from None
        except (ValueError, RecursionError):
            raise ParseError(_NO_JSON) from None
        return body


def _refuse(constant: str) -> None:
    raise ValueError(constant)
