"""Groups that a file brought into an opened study: they hold no places."""

from django.db import migrations, models
from django.db.models import Exists, OuterRef


def mark_observed(apps, schema_editor):
    """Mark the groups of opened studies that have imported work and not one place."""
    assignment = apps.get_model("annotation", "Assignment")
    work = assignment.objects.filter(group=OuterRef("pk"))
    brought = apps.get_model("annotation", "JudgeGroup").objects.filter(
        Exists(work.filter(origin="imported")),
        ~Exists(work.exclude(origin="imported")),
        study__opened_at__isnull=False,
    )
    brought.update(is_observed=True)


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0014_comparison_uploads'),
    ]

    operations = [
        migrations.AddField(
            model_name='judgegroup',
            name='is_observed',
            field=models.BooleanField(default=False),
        ),
        migrations.RunPython(mark_observed, migrations.RunPython.noop),
    ]
