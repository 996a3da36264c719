"""The administration of accounts: as Django has it, but for what it would do to studies."""

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import UserChangeForm
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone

from annotation.selectors.members import left_without_owner
from annotation.services.accounts import delete_accounts

View = Callable[..., HttpResponse]


class AccountForm(UserChangeForm):  # type: ignore[type-arg]  # it takes none at run time
    """An account; the last owner of a study is not shut out."""

    def clean_is_active(self) -> bool:
        """Refuse to shut out somebody without whom a study could not be run."""
        is_active: bool = self.cleaned_data["is_active"]
        if self.instance.is_active and not is_active:
            refusals = left_without_owner([self.instance])
            if refusals:
                raise ValidationError(refusals)
        return is_active


def _refusing(view: View) -> View:
    """Say on the list of accounts why a deletion is refused; what was begun is undone."""

    @wraps(view)
    def guarded(
        admin: object, request: HttpRequest, *args: object, **named: object
    ) -> HttpResponse:
        try:
            with transaction.atomic():
                return view(admin, request, *args, **named)
        except ValidationError as refusal:
            messages.error(request, " ".join(refusal.messages))
            return redirect("admin:auth_user_changelist")

    return guarded


class AccountAdmin(UserAdmin):  # type: ignore[type-arg]  # it takes none at run time
    """Accounts: whoever is the last owner of a study is kept."""

    form = AccountForm

    def get_deleted_objects(
        self, objs: Iterable[User], request: HttpRequest
    ) -> tuple[list[Any], dict[str, int], set[str], list[str]]:
        """Refuse before anybody is asked for confirmation."""
        users = list(objs)
        if refusals := left_without_owner(users):
            raise ValidationError(refusals)
        return super().get_deleted_objects(users, request)

    def delete_model(self, request: HttpRequest, obj: User) -> None:
        """Delete one account."""
        self.delete_queryset(request, User.objects.filter(pk=obj.pk))

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        """Delete the accounts chosen."""
        actor = request.user if request.user.is_authenticated else None
        delete_accounts(list(queryset), actor=actor, at=timezone.now())

    delete_view = _refusing(UserAdmin.delete_view)
    changelist_view = _refusing(UserAdmin.changelist_view)


admin.site.unregister(User)
admin.site.register(User, AccountAdmin)
