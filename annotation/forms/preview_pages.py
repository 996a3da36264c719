"""The pages of a preview, in the order in which a judge would meet them."""

from dataclasses import dataclass

from django.urls import reverse

from annotation.forms.judging_pages import ShownPage
from annotation.models import Judge, Phase
from annotation.selectors.judge_pages import pages_of
from annotation.selectors.judging import history


@dataclass(frozen=True, slots=True)
class Step:
    """The instructions of a phase, or, where ``page`` is set, a page of outputs."""

    phase: Phase
    page: ShownPage | None = None


class PreviewPage(ShownPage):
    """A judge's page whose addresses lead through the preview."""

    number = 1

    @property
    def url(self) -> str:
        """The address of what follows."""
        return step_url(self.study.slug, self.number + 1)

    @property
    def previous_url(self) -> str:
        """The address of what came before."""
        return step_url(self.study.slug, self.number - 1)


def preview_steps(judge: Judge) -> list[Step]:
    """Return the pages of what a judge was given, the instructions before each new phase."""
    given = history(judge).select_related("unit__item", "unit__output_version")
    steps: list[Step] = []
    briefed: set[int] = set()
    for page in pages_of(judge, given):
        phase = page.part.phase
        if phase.pk not in briefed:
            briefed.add(phase.pk)
            steps.append(Step(phase))
        shown = PreviewPage(page, judge=judge, token="")
        steps.append(Step(phase, shown))
        shown.number = len(steps)
    return steps


def step_url(slug: str, number: int) -> str:
    """Return the address of a step of a study's preview, counted from 1."""
    return reverse("annotation:preview", args=[slug, number])
