
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0004_repeats'),
    ]

    operations = [
        migrations.AddField(
            model_name='outputversion',
            name='upload',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='annotation.upload'),
        ),
        migrations.CreateModel(
            name='MappingTemplate',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('outputs', 'Outputs'), ('ratings', 'Ratings')], max_length=7)),
                ('header', models.CharField(max_length=64)),
                ('options', models.JSONField(default=dict)),
                ('saved_at', models.DateTimeField()),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='mapping_templates', to='annotation.study')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('study', 'kind', 'header'), name='one_template_per_header')],
            },
        ),
    ]
