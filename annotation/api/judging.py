"""What the judge's page calls. Every refusal is one sentence; nothing is half done."""

from datetime import datetime
from typing import Any, TypeVar, cast
from uuid import UUID

from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, JsonResponse
from django.utils import timezone, translation
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _
from django.views.decorators.csrf import csrf_exempt
from rest_framework import exceptions
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer
from rest_framework.views import APIView

from annotation.api import schema
from annotation.api.access import (
    LINK_ENDED,
    IsJudge,
    JudgeThrottle,
    JudgeTokenAuthentication,
    refuse_large_body,
)
from annotation.api.parsing import StrictJSONParser
from annotation.api.serializers import (
    ChangeSerializer,
    DoneSerializer,
    RatingSerializer,
    rating_as_json,
)
from annotation.enums import Layout
from annotation.forms.judging_pages import ShownPage
from annotation.models import Judge
from annotation.selectors.judge_links import Claim, judge_of_claim, language_of_claim
from annotation.selectors.judge_pages import page_of, pages_of
from annotation.selectors.judging import judge_standing
from annotation.services.judge_calls import NotGiven, Question, leave_output, rate, take_back
from annotation.services.judge_preferences import set_preferences
from annotation.services.places import draw
from annotation.services.ratings import NotAccepting, StaleVersion

S = TypeVar("S", bound=BaseSerializer[Any])

# What a call may come to, once the judge is known; each is told in one sentence.
_OUTCOMES = (
    StaleVersion,
    NotAccepting,
    NotGiven,
    ValidationError,
    exceptions.ValidationError,
    Http404,
)

# Draws held beyond the current one: enough for five outputs without a connection.
LOOK_AHEAD = {Layout.ONE_OUTPUT: 4, Layout.PAGE: 1, Layout.ITEM: 1, Layout.BATCH: 0}


class _JSONOnly(BaseContentNegotiation):
    """There is one form of answer; asking for it costs nothing."""

    def select_parser(self, request: Request, parsers: Any) -> Any:  # noqa: ANN401 -- the framework's signature
        media_type = (request.content_type or "").partition(";")[0].strip().lower()
        return parsers[0] if media_type == "application/json" else None

    def select_renderer(
        self,
        request: Request,  # noqa: ARG002 -- the framework's signature
        renderers: Any,  # noqa: ANN401 -- the framework's signature
        format_suffix: str | None = None,  # noqa: ARG002 -- the framework's signature
    ) -> tuple[BaseRenderer, str]:
        return renderers[0], renderers[0].media_type


class JudgeAPI(APIView):
    """What all calls of the judge's page share."""

    authentication_classes = [JudgeTokenAuthentication]
    permission_classes = [IsJudge]
    throttle_classes = [JudgeThrottle]
    parser_classes = [StrictJSONParser]
    renderer_classes = [JSONRenderer]
    # A look at the head would lease places, and nobody needs the options.
    http_method_names = ["get", "post", "put", "delete"]
    content_negotiation_class = _JSONOnly

    def initial(self, request: Request, *args: object, **kwargs: object) -> None:
        """Refuse what is too large before anything else is looked at."""
        refuse_large_body(request)
        super().initial(request, *args, **kwargs)

    def finalize_response(
        self, request: Request, response: Response, *args: object, **kwargs: object
    ) -> Response:
        """Send no policy of what a page may load: this is JSON, and no page."""
        final = super().finalize_response(request, response, *args, **kwargs)
        final._csp_exempt = True  # type: ignore[attr-defined]  # noqa: SLF001 -- as csp_exempt does
        return final

    def handle_exception(self, exc: Exception) -> Response:
        """Answer the outcomes of the services in the language that the judge has chosen."""
        if not isinstance(exc, _OUTCOMES):
            return super().handle_exception(exc)
        language = language_of_claim(self.claim) or translation.get_language()
        with translation.override(language):
            return self._refusal(exc)

    def _refusal(self, exc: Exception) -> Response:
        """Return the status of an outcome and one sentence."""
        if isinstance(exc, StaleVersion):
            detail = {"detail": str(exc), "code": "stale", "rating": rating_as_json(exc.rating)}
            return Response(detail, status=409)
        if isinstance(exc, NotAccepting):
            return Response({"detail": str(exc), "code": "not_accepting"}, status=409)
        if isinstance(exc, ValidationError):
            return Response({"detail": " ".join(exc.messages), "code": "invalid"}, status=422)
        if isinstance(exc, exceptions.ValidationError):
            return Response({"detail": _sentence(exc.detail), "code": "invalid"}, status=422)
        if isinstance(exc, NotGiven):
            is_revoked = judge_of_claim(self.claim) is None
            exc = exceptions.AuthenticationFailed(LINK_ENDED) if is_revoked else Http404(str(exc))
        return super().handle_exception(exc)

    @cached_property
    def judge(self) -> Judge:
        """Return the judge who calls."""
        judge = judge_of_claim(self.claim)
        if judge is None:
            raise exceptions.AuthenticationFailed(LINK_ENDED)
        return judge

    @property
    def claim(self) -> Claim:
        """What the judge's token claims."""
        return cast("Claim", self.request.auth)

    @property
    def token(self) -> str:
        """The token that the judge came with."""
        return str(self.request.META["HTTP_AUTHORIZATION"]).removeprefix("Judge ")

    def next_pages(
        self, judge: Judge, layout: str, *, have: list[str], at: datetime
    ) -> dict[str, Any]:
        """Return the pages that the judge holds and the browser has not."""
        held = draw(judge, at=at, n_ahead=LOOK_AHEAD[Layout(layout)])
        known = {key.partition(".")[0] for key in have}
        new = [row for row in held if str(row.draw) not in known]
        judge = (new[0].judge if new else None) or judge
        pages = pages_of(judge, new, just_leased=at)
        shown = [ShownPage(page, judge=judge, token=self.token) for page in pages]
        return {"n_held": len(held), "pages": [page.as_json() for page in shown]}


class OneRating(JudgeAPI):
    """One answer: stored, changed, or taken back."""

    @schema.stores_a_rating
    def put(
        self, request: Request, *, handle: UUID, dimension: str, fact: int | None = None
    ) -> Response:
        """Store the answer; the same UUID again changes nothing."""
        sent = _valid(RatingSerializer(data=request.data))
        question = Question(self.claim, handle, dimension, fact)
        rating = rate(question, answer=sent.answer(), change=sent.change(), at=timezone.now())
        return Response({**rating_as_json(rating), "is_late": rating.assignment.is_late})

    @schema.takes_a_rating_back
    def delete(
        self, request: Request, *, handle: UUID, dimension: str, fact: int | None = None
    ) -> Response:
        """Take the answer back to blank."""
        sent = _valid(ChangeSerializer(data=request.data))
        question = Question(self.claim, handle, dimension, fact)
        take_back(question, change=sent.change(), at=timezone.now())
        return Response(rating_as_json(None))


class Done(JudgeAPI):
    """A page was left: its times are kept, and after its last part the output is handed in."""

    @schema.leaves_a_page
    def post(self, request: Request, *, handle: UUID) -> Response:
        """Keep the times, hand the output in; with ``have`` the answer brings what comes next."""
        sent = _valid(DoneSerializer(data=request.data))
        now = timezone.now()
        assignment = leave_output(
            self.claim,
            handle,
            visits=sent.visit_times,
            is_handed_in=sent.validated_data["is_handed_in"],
            at=now,
        )
        answer: dict[str, Any] = {"is_late": assignment.is_late}
        have = sent.validated_data["have"]
        if have is not None:
            layout, judge = assignment.unit.study.layout, assignment.judge or self.judge
            answer |= self.next_pages(judge, layout, have=have, at=now)
        return Response(answer)


class NextPages(JudgeAPI):
    """What comes next."""

    @schema.gives_next_pages
    def get(self, request: Request) -> Response:
        """Lease what is next and return its pages; ``have`` lists those already held."""
        have = [key for key in request.query_params.get("have", "").split(",") if key]
        layout = self.judge.study.layout
        return Response(self.next_pages(self.judge, layout, have=have, at=timezone.now()))


class OnePage(JudgeAPI):
    """A page that the judge was given before."""

    @schema.gives_a_page
    def get(self, request: Request, *, draw: int, number: int = 1) -> Response:  # noqa: ARG002 -- the framework's signature
        """Return the page."""
        page = page_of(self.judge, draw=draw, number=number)
        if page is None:
            raise Http404(_("You were not given this page."))
        return Response(ShownPage(page, judge=self.judge, token=self.token).as_json())


class JudgeStanding(JudgeAPI):
    """Where the judge stands."""

    @schema.gives_the_standing
    def get(self, request: Request) -> Response:  # noqa: ARG002 -- the framework's signature
        """Return state and counts."""
        standing = judge_standing(self.judge, at=timezone.now())
        return Response(
            {
                "state": standing.state,
                "n_done": standing.n_done,
                "n_open": standing.n_open,
                "n_expected": standing.n_expected,
                "next_free_at": standing.next_free_at,
            }
        )


class Preferences(JudgeAPI):
    """What the judge sets for themselves."""

    @schema.sets_preferences
    def put(self, request: Request) -> Response:
        """Store the given preferences; the others stay."""
        if not isinstance(request.data, dict):
            raise ValidationError(_("Send the preferences by name."))
        return Response(set_preferences(self.judge, request.data))


@csrf_exempt  # refuses, whatever comes
def no_such_address(request: HttpRequest) -> JsonResponse:  # noqa: ARG001 -- the framework's signature
    """Refuse an address that none of the above has, in one sentence like all others."""
    return JsonResponse({"detail": str(_("There is no such address."))}, status=404)


def _valid(serializer: S) -> S:
    serializer.is_valid(raise_exception=True)
    return serializer


def _sentence(detail: Any) -> str:  # noqa: ANN401 -- nested as the body was
    """Return the first fault of a body as a sentence that names its field."""
    if isinstance(detail, dict):
        name, inner = next(iter(detail.items()))
        return f"{name}: {_sentence(inner)}" if name != "non_field_errors" else _sentence(inner)
    if isinstance(detail, list):
        return _sentence(next((one for one in detail if one), ""))
    return str(detail)
