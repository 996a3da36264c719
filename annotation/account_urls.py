"""The addresses of accounts, and of the members of a study."""

from django.urls import path

from annotation.views import accounts, members

urlpatterns = [
    path("invitation/<uidb64>/<token>/", accounts.TakeInvitation.as_view(), name="invitation"),
    path("account/password/", accounts.ChangePassword.as_view(), name="change_password"),
    path("studies/<slug:slug>/members/", members.members, name="members"),
    path("studies/<slug:slug>/members/add/", members.add, name="add_member"),
    path("studies/<slug:slug>/members/<int:pk>/role/", members.set_role, name="set_member_role"),
    path("studies/<slug:slug>/members/<int:pk>/remove/", members.remove, name="remove_member"),
    path("studies/<slug:slug>/members/<int:pk>/invite/", members.invite, name="invite_member"),
]
