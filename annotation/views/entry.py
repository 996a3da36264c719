"""The way in: welcome, sign-in, the links that `make run` prints."""

from django.contrib.auth import get_user_model, login
from django.contrib.auth.views import LoginView, LogoutView
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from annotation.selectors.demo import demo_judge, demo_study
from annotation.selectors.judge_links import judge_path
from config.start_links import read_link

sign_in = LoginView.as_view(
    template_name="annotation/sign_in.html", redirect_authenticated_user=True
)
sign_out = LogoutView.as_view(next_page="annotation:welcome")


@require_safe
def welcome(request: HttpRequest) -> HttpResponse:
    """Say what Concord is, and lead to the studies."""
    return render(request, "annotation/welcome.html")


@require_safe
def start_link(request: HttpRequest, role: str, token: str) -> HttpResponse:
    """Open a door of this start: as the demo judge, or signed in as a demo user."""
    if read_link(token) != role:
        raise Http404
    if role == "judge":
        judge = demo_judge(at=timezone.now())
        if judge is None:
            raise Http404
        return redirect(judge_path(judge))
    user = get_user_model().objects.filter(username=f"demo-{role}").first()
    if user is None:
        raise Http404
    login(request, user, backend="django.contrib.auth.backends.ModelBackend")
    study = demo_study()
    if role == "researcher" and study is not None:
        return redirect(f"/studies/{study.slug}/report/")
    return redirect("annotation:study_list")
