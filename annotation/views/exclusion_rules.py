"""Exclusion rules: declared before the first rating, whom they catch, and the act of excluding."""

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from annotation.design.exclusion_rules import read_rules
from annotation.enums import Role, StudyState
from annotation.forms.exclusion_rules import RulesForm, UnderRuleForm
from annotation.models import Judge, Study
from annotation.selectors.access import MANAGE, READ, role_in
from annotation.selectors.doors.blinding import may_see_results
from annotation.selectors.exclusion_rules import judged_judges, rules_are_fixed
from annotation.services.exclusion_rules import exclude_under_rule, set_exclusion_rules
from annotation.services.judges import reopen_places
from annotation.views.access import study_page
from annotation.views.uploads import user_of


@study_page(READ)
@require_safe
def rules(request: HttpRequest, study: Study) -> HttpResponse:
    """Show the rules, whom they catch and every later change; to an owner the forms."""
    return _page(request, study)


@study_page(MANAGE)
@require_POST
def set_rules(request: HttpRequest, study: Study) -> HttpResponse:
    """Set the rules, or say why they cannot be."""
    form = RulesForm(request.POST)
    if not form.is_valid():
        return _page(request, study, form)
    try:
        set_exclusion_rules(
            study,
            form.declared(),
            reason=form.cleaned_data["reason"],
            actor=user_of(request),
            at=timezone.now(),
        )
    except ValidationError as refusal:
        form.add_error(None, refusal)
        return _page(request, study, form)
    return redirect("annotation:exclusion_rules", slug=study.slug)


@study_page(MANAGE)
@require_POST
def exclude(request: HttpRequest, study: Study, pk: int) -> HttpResponse:
    """Exclude a judge whom a rule catches, and give their places on where that is asked."""
    judge = get_object_or_404(Judge, pk=pk, study=study)
    form, user = UnderRuleForm(request.POST), user_of(request)
    if not form.is_valid() or not may_see_results(request.user, study.pk):
        raise Http404
    try:
        exclude_under_rule(judge, form.cleaned_data["kind"], actor=user, at=timezone.now())
        if form.cleaned_data["reopens_places"]:
            n_freed = reopen_places(judge, actor=user, at=timezone.now())
            messages.info(request, f"{n_freed} places of {judge.pseudonym} are free again.")
    except ValidationError as refusal:
        messages.error(request, " ".join(refusal.messages))
    return redirect("annotation:exclusion_rules", slug=study.slug)


def _page(request: HttpRequest, study: Study, form: RulesForm | None = None) -> HttpResponse:
    declared = read_rules(study.exclusion_rules)
    sees_results = may_see_results(request.user, study.pk)
    initial: dict[str, object] = {rule.kind: f"{rule.threshold:g}" for rule in declared}
    initial |= {f"{rule.kind}_outputs": rule.n_outputs for rule in declared}
    if form is None:
        form = RulesForm(initial=initial)
        status = 200
    else:
        status = 422
    is_fixed = rules_are_fixed(study)
    if not is_fixed:
        del form.fields["reason"]
    context = {
        "study": study,
        "tab": "overview",
        "is_owner": role_in(request.user, study) == Role.OWNER,
        "is_fixed": is_fixed,
        "is_frozen": study.state == StudyState.FROZEN,
        "rules": declared,
        "form": form,
        "sees_results": sees_results,
        "judges": judged_judges(study) if declared and sees_results else [],
        "changes": study.events.filter(kind="exclusion_rules_changed")
        .select_related("actor")
        .order_by("-pk"),
    }
    return render(request, "annotation/exclusion_rules.html", context, status=status)
