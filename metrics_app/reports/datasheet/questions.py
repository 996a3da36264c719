"""The 62 questions of the Human Evaluation Datasheet (HEDS) 3.0, by number.

The wording is our own short form; the numbers are the sheet's. Section 4 is answered once for
each criterion, which is a dimension here. Source: Belz and Thomson (2024), HEDS 3.0.
"""

from dataclasses import dataclass
from typing import Literal

Filled = Literal["automatic", "preset", "typed"]


@dataclass(frozen=True, slots=True)
class Question:
    """One question: ``filled`` says whether stored data answer it, or a person does."""

    number: str
    text: str
    filled: Filled

    @property
    def section(self) -> str:
        """The section's number."""
        return self.number[0]

    @property
    def is_of_criterion(self) -> bool:
        """Whether it is answered once for each criterion."""
        return self.section == "4"


SECTIONS = {
    "1": "Paper and resources",
    "2": "Evaluated systems",
    "3": "Sample of outputs, evaluators, experimental design",
    "4": "Quality criterion",
    "5": "Ethics",
}
_AUTOMATIC = (
    ("3.1.1", "Number of outputs evaluated, by system"),
    ("3.1.3.1", "Method of the power analysis"),
    ("3.1.3.2", "Power found"),
    ("3.1.3.3", "Where its code is"),
    ("3.2.1", "Number of evaluators"),
    ("3.2.2.2", "Are evaluators paid?"),
    ("3.2.3", "How evaluators are recruited"),
    ("3.2.4", "Training of evaluators"),
    ("3.2.5", "Further characteristics of evaluators"),
    ("3.3.2", "Medium by which responses are collected"),
    ("3.3.3.1", "Methods of quality assurance"),
    ("3.3.3.2", "What they led to, exclusions among it"),
    ("3.3.4.1", "Where the interface can be seen"),
    ("3.3.4.2", "What evaluators are shown"),
    ("3.3.5", "Are evaluators free to choose time and pace?"),
    ("3.3.6", "Can evaluators ask questions or give feedback?"),
    ("3.3.7", "Conditions in which evaluators work"),
    ("3.3.8", "How far conditions vary between evaluators"),
    ("4.2.2", "Absolute or relative assessment"),
    ("4.3.1.1", "Name of the criterion as evaluators see it"),
    ("4.3.2", "Definition that evaluators see"),
    ("4.3.3", "Size of the scale"),
    ("4.3.4", "Values of the scale"),
    ("4.3.5", "How the scale is presented"),
    ("4.3.6", "Options beside the scale, such as not applicable"),
    ("4.3.7", "Question put to evaluators, word for word"),
    ("4.3.8", "Form of the response"),
    ("4.3.9", "How responses are aggregated"),
    ("4.3.10", "Tests and effect sizes"),
    ("4.3.11.1", "Method of inter-annotator agreement"),
    ("4.3.11.2", "Inter-annotator agreement"),
    ("4.3.12.1", "Method of intra-annotator agreement"),
    ("4.3.12.2", "Intra-annotator agreement"),
)
_PRESET = (
    ("1.2", "Link to the resources of the evaluation"),
    ("1.3.1.1", "Contact: name"),
    ("1.3.1.2", "Contact: affiliation"),
    ("1.3.1.3", "Contact: e-mail"),
    ("1.3.2.1", "Who completes this sheet: name"),
    ("1.3.2.2", "Who completes this sheet: affiliation"),
    ("1.3.2.3", "Who completes this sheet: e-mail"),
    ("2.1", "Type of input"),
    ("2.2", "Type of output"),
    ("2.3", "Task of the systems"),
    ("2.4", "Languages of the input"),
    ("2.5", "Languages of the output"),
    ("3.1.2", "How outputs were selected"),
    ("3.2.2.1", "Are evaluators experts?"),
    ("3.2.2.3", "Are evaluators known to the authors?"),
    ("3.2.2.4", "Are authors among the evaluators?"),
    ("3.3.1", "Was the evaluation preregistered?"),
    ("4.1.1", "Type of quality: correctness, goodness, feature"),
    ("4.1.2", "Aspect of quality: form, content, both"),
    ("4.1.3", "Frame of reference of the quality"),
    ("4.2.1", "Objective or subjective assessment"),
    ("4.2.3", "Intrinsic or extrinsic evaluation"),
    ("4.3.1.2", "Standard name of the criterion"),
    ("5.1", "Approval by an ethics committee"),
    ("5.2", "Personal data among what is evaluated or collected"),
    ("5.3", "Special categories of personal data"),
)
_TYPED = (
    ("1.1.1", "Paper that reports the evaluation"),
    ("1.1.2", "Which evaluation of the paper this is"),
    ("5.4", "Impact assessments carried out"),
)
QUESTIONS = tuple(
    sorted(
        [
            *(Question(number, text, "automatic") for number, text in _AUTOMATIC),
            *(Question(number, text, "preset") for number, text in _PRESET),
            *(Question(number, text, "typed") for number, text in _TYPED),
        ],
        key=lambda question: [int(part) for part in question.number.split(".")],
    )
)
