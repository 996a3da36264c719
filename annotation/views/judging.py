"""The judge's pages: no cookie, no session; the signed link is the whole key."""

from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.cache import patch_cache_control
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_http_methods

from annotation.forms.judging_pages import ShownPage, page_url
from annotation.forms.judging_posts import store_page
from annotation.forms.judging_words import page_heading, script_words
from annotation.models import Judge, Phase
from annotation.selectors.judge_links import judge_mark, judge_of_token
from annotation.selectors.judge_pages import Page, page_of, pages_of, parts_for
from annotation.selectors.judging import Standing, history, judge_standing
from annotation.services.judge_preferences import mark_read
from annotation.services.places import draw
from annotation.services.ratings import NotAccepting, StaleVersion
from annotation.services.withdrawal import stop_judging, withdraw_judge


@csrf_exempt  # reads only; another method is a 405, not a fault of a session that is not there
@require_GET
def enter(request: HttpRequest, token: str) -> HttpResponse:
    """Lead the judge to what is next: instructions, the first unfinished page, or a plain state."""
    judge = _judge(token)
    now = timezone.now()
    if judge.instructed_at is None:
        standing = judge_standing(judge, at=now)
        if standing.state == "working":
            return redirect("annotation:judge_instructions", token)
        return _show(request, judge, token, "standing", {"standing": standing})
    held = draw(judge, at=now)
    if not held:
        standing = judge_standing(judge, at=now)
        return _show(request, judge, token, "standing", {"standing": standing})
    page = _first_unfinished(judge, held[0].draw or 0)
    return redirect(page_url(token, draw=page.draw, number=page.number))


@csrf_exempt  # the link's token is the key, no cookie is
@require_http_methods(["GET", "POST"])
def instructions(request: HttpRequest, token: str) -> HttpResponse:
    """Show the instructions of a phase; its button says that they are read."""
    judge = _judge(token)
    phases = {part.phase.key: part.phase for part in parts_for(judge)}
    wanted = request.GET.get("phase", next(iter(phases), ""))
    if wanted not in phases:
        raise Http404("This study has no such phase.")
    if request.method == "POST":
        mark_read(judge, phases[wanted], at=timezone.now())
        page = request.GET.get("page", "")
        return redirect(
            _page_of_key(token, page) or reverse("annotation:judge_enter", args=[token])
        )
    return _show_instructions(request, judge, token, phases[wanted])


@csrf_exempt  # reads only, as above
@require_GET
def pause(request: HttpRequest, token: str) -> HttpResponse:
    """Say that everything is kept and how to come back."""
    judge = _judge(token)
    standing = judge_standing(judge, at=timezone.now())
    return _show(request, judge, token, "standing", {"standing": standing, "is_pause": True})


@csrf_exempt  # the link's token is the key, no cookie is
@require_http_methods(["GET", "POST"])
def leave(request: HttpRequest, token: str) -> HttpResponse:
    """Ask how to leave; stop and keep the answers, or delete them all."""
    judge = _judge(token)
    act = request.POST.get("act")
    if act == "stop":
        stop_judging(judge)
        return redirect("annotation:judge_pause", token)
    error = ""
    if act == "delete":
        try:
            withdraw_judge(judge, at=timezone.now())
            return _show(request, judge, token, "leave", {"has_left": True})
        except ValidationError as fault:
            error = " ".join(fault.messages)
    response = _show(request, judge, token, "leave", {"error": error})
    response.status_code = 422 if error else 200
    return response


@csrf_exempt  # the link's token is the key, no cookie is
@require_http_methods(["GET", "POST"])
def page(request: HttpRequest, token: str, draw: int, number: int = 1) -> HttpResponse:
    """Show a page to judge; without a script, take all its answers at once."""
    judge = _judge(token)
    found = page_of(judge, draw=draw, number=number)
    if found is None:
        raise Http404("You were not given this page.")
    errors: list[str] = []
    if request.method == "POST":
        try:
            store_page(found, data=request.POST, at=timezone.now())
            return redirect(_after(judge, token, found))
        except (ValidationError, NotAccepting, StaleVersion) as fault:
            errors = fault.messages if isinstance(fault, ValidationError) else [str(fault)]
            found = page_of(judge, draw=draw, number=number) or found
    shown = ShownPage(found, judge=judge, token=token)
    if shown.is_unread:
        return _show_instructions(request, judge, token, shown.phase, page=shown)
    standing = judge_standing(judge, at=timezone.now())
    total = standing.n_expected
    context = {
        "shown": shown,
        "standing": standing,
        "errors": errors,
        "heading": page_heading(
            found.first, found.last, total, is_comparison=found.part.is_comparison
        ),
        "progress": script_words()["progress"].format(done=standing.n_done, total=total),
    }
    response = _show(request, judge, token, "page", context)
    response.status_code = 422 if errors else 200
    return response


def _judge(token: str) -> Judge:
    judge = judge_of_token(token)
    if judge is None:
        raise Http404("This personal link is not valid any more.")
    language = judge.preferences.get("language")
    if language:
        translation.activate(language)
    return judge


def _first_unfinished(judge: Judge, number: int) -> Page:
    """Return the first page of a draw that has a blank; the last where none has."""
    given = history(judge).filter(draw=number)
    pages = pages_of(judge, given.select_related("unit__item", "unit__output_version"))
    return next((page for page in pages if page.has_blank), pages[-1])


def _after(judge: Judge, token: str, page: Page) -> str:
    """Return the address that follows a finished page."""
    if not page.is_last:
        return page_url(token, draw=page.draw, number=page.number + 1)
    if history(judge).filter(draw=page.draw + 1).exists():
        return page_url(token, draw=page.draw + 1)
    return reverse("annotation:judge_enter", args=[token])


def _page_of_key(token: str, key: str) -> str:
    draw, _, number = key.partition(".")
    if not (draw.isdecimal() and number.isdecimal()):
        return ""
    return page_url(token, draw=int(draw), number=int(number))


def _show_instructions(
    request: HttpRequest, judge: Judge, token: str, phase: Phase, page: ShownPage | None = None
) -> HttpResponse:
    asked = [d for part in parts_for(judge) if part.phase == phase for d in part.dimensions]
    context = {
        "phase": phase,
        "dimensions": asked,
        "examples": phase.examples.all(),
        "page_key": page.key if page else "",
    }
    return _show(request, judge, token, "instructions", context)


def _show(
    request: HttpRequest, judge: Judge, token: str, template: str, context: dict[str, object]
) -> HttpResponse:
    """Render a page that is kept out of every cache and sends its address to nobody."""
    standing = context.get("standing")
    shared = {
        "judge": judge,
        "study": judge.study,
        "token": token,
        "mark": judge_mark(judge),
        "words": script_words(),
        "n_total": standing.n_expected if isinstance(standing, Standing) else 0,
    }
    response = render(request, f"annotation/judge/{template}.html", shared | context)
    patch_cache_control(response, no_store=True, private=True)
    response["Referrer-Policy"] = "no-referrer"
    return response
