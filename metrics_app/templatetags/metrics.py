"""Reason codes in words."""

from django import template

from metrics_app.stats.undefined import explain

register = template.Library()
register.filter("explained", explain)
