"""The members of a study: who they are, what they may do, and how others come in."""

from collections.abc import Callable

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotation.enums import Role
from annotation.forms.members import MAY, MemberForm, RoleForm
from annotation.models import Study, StudyMember
from annotation.selectors.access import MANAGE, role_in
from annotation.selectors.invitations import invitation_path
from annotation.selectors.members import is_pending, members_of
from annotation.services.members import add_member, change_role, invite_again, remove_member
from annotation.views.access import study_page
from annotation.views.uploads import user_of


@study_page(MANAGE)
@require_safe
def members(request: HttpRequest, study: Study) -> HttpResponse:
    """Show the members, their roles, and the form to add one."""
    return _page(request, study, MemberForm())


@study_page(MANAGE)
@require_POST
@never_cache
def add(request: HttpRequest, study: Study) -> HttpResponse:
    """Add a member; where the account is new, show its invitation, this once."""
    form = MemberForm(request.POST)
    if not form.is_valid():
        return _page(request, study, form, status=422)
    name, role = form.cleaned_data["name"], Role(form.cleaned_data["role"])
    try:
        member = add_member(study, name, role=role, actor=user_of(request), at=timezone.now())
    except ValidationError as refusal:
        form.add_error("name", refusal.messages)
        return _page(request, study, form, status=422)
    if is_pending(member):
        return _page(request, study, MemberForm(), invited=member.user)
    messages.success(request, f"{name} is a member now.")
    return redirect("annotation:members", slug=study.slug)


@study_page(MANAGE)
@require_POST
@never_cache
def invite(request: HttpRequest, study: Study, pk: int) -> HttpResponse:
    """Make the old invitation void, and show a new one, this once."""
    member = get_object_or_404(StudyMember, pk=pk, study=study)
    try:
        member = invite_again(member, actor=user_of(request), at=timezone.now())
    except ValidationError as refusal:
        messages.error(request, " ".join(refusal.messages))
        return _back(request, study)
    return _page(request, study, MemberForm(), invited=member.user)


@study_page(MANAGE)
@require_POST
def set_role(request: HttpRequest, study: Study, pk: int) -> HttpResponse:
    """Give a member another role, or say why not."""
    member = get_object_or_404(StudyMember, pk=pk, study=study)
    form = RoleForm(request.POST)
    if not form.is_valid():
        messages.error(request, "Choose one of the roles offered.")
        return _back(request, study)
    role = Role(form.cleaned_data["role"])
    return _act(
        request,
        study,
        lambda: change_role(member, role, actor=user_of(request), at=timezone.now()),
    )


@study_page(MANAGE)
@require_POST
def remove(request: HttpRequest, study: Study, pk: int) -> HttpResponse:
    """Take a member out of the study, or say why not."""
    member = get_object_or_404(StudyMember, pk=pk, study=study)
    return _act(
        request, study, lambda: remove_member(member, actor=user_of(request), at=timezone.now())
    )


def _act(request: HttpRequest, study: Study, act: Callable[[], object]) -> HttpResponse:
    try:
        act()
    except ValidationError as refusal:
        messages.error(request, " ".join(refusal.messages))
    return _back(request, study)


def _back(request: HttpRequest, study: Study) -> HttpResponse:
    # Whoever lowered or removed themselves no longer finds this page.
    role = role_in(request.user, study)
    if role == Role.OWNER:
        return redirect("annotation:members", slug=study.slug)
    if role is not None:
        return redirect("annotation:study", slug=study.slug)
    return redirect("annotation:study_list")


def _page(
    request: HttpRequest,
    study: Study,
    form: MemberForm,
    *,
    invited: User | None = None,
    status: int = 200,
) -> HttpResponse:
    rows = [
        {"member": member, "may": MAY[Role(member.role)], "is_pending": is_pending(member)}
        for member in members_of(study)
    ]
    context = {
        "study": study,
        "tab": "overview",
        "rows": rows,
        "roles": Role.choices,
        "form": form,
        "invited": invited,
        "link": invited and request.build_absolute_uri(invitation_path(invited)),
        "n_days": settings.PASSWORD_RESET_TIMEOUT // 86_400,
    }
    return render(request, "annotation/members.html", context, status=status)
