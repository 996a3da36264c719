"""What the judge's page calls. Every refusal is one sentence; nothing is half done."""

from datetime import datetime
from typing import Any, TypeVar, cast
from uuid import UUID

from django.core.exceptions import ValidationError
from django.http import Http404
from django.utils import timezone
from django.utils.functional import cached_property
from rest_framework import exceptions
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer
from rest_framework.views import APIView

from annotation.api.access import (
    LINK_ENDED,
    IsJudge,
    JudgeThrottle,
    JudgeTokenAuthentication,
    refuse_large_body,
)
from annotation.api.serializers import (
    ChangeSerializer,
    DoneSerializer,
    RatingSerializer,
    rating_as_json,
)
from annotation.enums import Layout
from annotation.forms.judging_pages import ShownPage
from annotation.models import Assignment, Dimension, Fact, Judge
from annotation.selectors.asked import asked_lately
from annotation.selectors.judge_links import Claim, judge_of_claim
from annotation.selectors.judge_pages import page_of, pages_of
from annotation.selectors.judging import assignment_of, judge_standing
from annotation.selectors.units import asked_of
from annotation.services.hand_in import hand_in, keep_visits
from annotation.services.judge_preferences import set_preferences
from annotation.services.places import draw
from annotation.services.ratings import (
    NotAccepting,
    StaleVersion,
    submit_rating,
    withdraw_rating,
)

S = TypeVar("S", bound=BaseSerializer[Any])

# Draws held beyond the current one: enough for five outputs without a connection.
LOOK_AHEAD = {Layout.ONE_OUTPUT: 4, Layout.PAGE: 1, Layout.ITEM: 1, Layout.BATCH: 0}


class _JSONOnly(BaseContentNegotiation):
    """There is one form of answer; asking for it costs nothing."""

    def select_parser(self, request: Request, parsers: Any) -> Any:  # noqa: ARG002, ANN401 -- the framework's signature
        return parsers[0]

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
    renderer_classes = [JSONRenderer]
    content_negotiation_class = _JSONOnly

    def initial(self, request: Request, *args: object, **kwargs: object) -> None:
        """Refuse what is too large before anything else is looked at."""
        refuse_large_body(request)
        super().initial(request, *args, **kwargs)

    def handle_exception(self, exc: Exception) -> Response:
        """Answer the outcomes of the services with their status and one sentence."""
        if isinstance(exc, StaleVersion):
            detail = {"detail": str(exc), "code": "stale", "rating": rating_as_json(exc.rating)}
            return Response(detail, status=409)
        if isinstance(exc, NotAccepting):
            return Response({"detail": str(exc), "code": "not_accepting"}, status=409)
        if isinstance(exc, ValidationError):
            return Response({"detail": " ".join(exc.messages), "code": "invalid"}, status=422)
        if isinstance(exc, exceptions.ValidationError):
            return Response({"detail": _sentence(exc.detail), "code": "invalid"}, status=422)
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

    def assignment(self, handle: UUID) -> Assignment:
        """Return the judge's own assignment; anybody else's does not exist."""
        assignment = assignment_of(self.claim, handle)
        if assignment is None:
            judge = self.judge  # refuses a revoked link
            raise Http404(f"{judge.pseudonym} was not given this output.")
        return assignment

    def next_pages(self, *, have: list[str], at: datetime) -> dict[str, Any]:
        """Return the pages that the judge holds and the browser has not."""
        n_ahead = LOOK_AHEAD[Layout(self.judge.study.layout)]
        held = draw(self.judge, at=at, n_ahead=n_ahead)
        known = {key.partition(".")[0] for key in have}
        new = {row.draw for row in held if str(row.draw) not in known}
        rows = Assignment.objects.filter(judge=self.judge, draw__in=new).order_by("position")
        pages = pages_of(self.judge, rows.select_related("unit__item", "unit__output_version"))
        shown = [ShownPage(page, judge=self.judge, token=self.token).as_json() for page in pages]
        return {"n_held": len(held), "pages": shown}


class OneRating(JudgeAPI):
    """One answer: stored, changed, or taken back."""

    def put(
        self, request: Request, *, handle: UUID, dimension: str, fact: int | None = None
    ) -> Response:
        """Store the answer; the same UUID again changes nothing."""
        assignment = self.assignment(handle)
        sent = _valid(RatingSerializer(data=request.data))
        rating = submit_rating(
            assignment,
            dimension=_dimension(assignment, dimension),
            fact=_fact(assignment, fact),
            answer=sent.answer(),
            change=sent.change(),
            at=timezone.now(),
        )
        return Response({**rating_as_json(rating), "is_late": rating.assignment.is_late})

    def delete(
        self, request: Request, *, handle: UUID, dimension: str, fact: int | None = None
    ) -> Response:
        """Take the answer back to blank."""
        assignment = self.assignment(handle)
        withdraw_rating(
            assignment,
            dimension=_dimension(assignment, dimension),
            fact=_fact(assignment, fact),
            change=_valid(ChangeSerializer(data=request.data)).change(),
            at=timezone.now(),
        )
        return Response(rating_as_json(None))


class Done(JudgeAPI):
    """A page was left: its times are kept, and after its last part the output is handed in."""

    def post(self, request: Request, *, handle: UUID) -> Response:
        """Keep the times, hand the output in; with ``have`` the answer brings what comes next."""
        assignment = self.assignment(handle)
        sent = _valid(DoneSerializer(data=request.data))
        asked = asked_lately(assignment.unit.study_id)
        phases = {dimension.phase.key: dimension.phase for dimension in asked}
        now = timezone.now()
        visits = sent.visit_times(phases)
        if sent.validated_data["is_handed_in"]:
            assignment = hand_in(assignment, at=now, visits=visits)
        else:
            keep_visits(assignment, visits, at=now)
        answer: dict[str, Any] = {"is_late": assignment.is_late}
        have = sent.validated_data["have"]
        if have is not None:
            answer |= self.next_pages(have=have, at=now)
        return Response(answer)


class NextPages(JudgeAPI):
    """What comes next."""

    def get(self, request: Request) -> Response:
        """Lease what is next and return its pages; ``have`` lists those already held."""
        have = [key for key in request.query_params.get("have", "").split(",") if key]
        return Response(self.next_pages(have=have, at=timezone.now()))


class OnePage(JudgeAPI):
    """A page that the judge was given before."""

    def get(self, request: Request, *, draw: int, number: int = 1) -> Response:  # noqa: ARG002 -- the framework's signature
        """Return the page."""
        page = page_of(self.judge, draw=draw, number=number)
        if page is None:
            raise Http404("You were not given this page.")
        return Response(ShownPage(page, judge=self.judge, token=self.token).as_json())


class JudgeStanding(JudgeAPI):
    """Where the judge stands."""

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

    def put(self, request: Request) -> Response:
        """Store the given preferences; the others stay."""
        if not isinstance(request.data, dict):
            raise ValidationError("Send the preferences by name.")
        return Response(set_preferences(self.judge, request.data))


def _valid(serializer: S) -> S:
    serializer.is_valid(raise_exception=True)
    return serializer


def _dimension(assignment: Assignment, reference: str) -> Dimension:
    """Return the dimension of a key, or of ``phase:key`` where phases share keys."""
    phase, _, key = reference.rpartition(":")
    for dimension in asked_of(assignment.unit.kind, asked_lately(assignment.unit.study_id)):
        if dimension.key == key and phase in {"", dimension.phase.key}:
            return dimension
    raise Http404("This study asks no such dimension.")


def _fact(assignment: Assignment, position: int | None) -> Fact | None:
    if position is None:
        return None
    fact = Fact.objects.filter(item=assignment.unit.item_id, position=position).first()
    if fact is None:
        raise Http404("This source has no such fact.")
    return fact


def _sentence(detail: Any) -> str:  # noqa: ANN401 -- nested as the body was
    """Return the first fault of a body as a sentence that names its field."""
    if isinstance(detail, dict):
        name, inner = next(iter(detail.items()))
        return f"{name}: {_sentence(inner)}" if name != "non_field_errors" else _sentence(inner)
    if isinstance(detail, list):
        return _sentence(next((one for one in detail if one), ""))
    return str(detail)
