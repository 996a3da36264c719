"""Protocols of published evaluations, ready to be used and changed."""

from annotation.enums import DimensionKind, GroupKind, Layout, Measurement
from annotation.services.protocol import NewDimension, NewGroup, NewPhase, NewScale, Protocol

_QUALITY = NewScale("quality", points=[(1, "Poor"), (2, "Fair"), (3, "Good"), (4, "Great")])
_FIVE = NewScale(
    "five",
    points=[(1, "Very poor"), (2, "Poor"), (3, "Acceptable"), (4, "Good"), (5, "Very good")],
)
_SIX = NewScale(
    "six",
    points=[
        (1, "Unreadable"),
        (2, "Broken"),
        (3, "Awkward"),
        (4, "Fair"),
        (5, "Good"),
        (6, "Flawless"),
    ],
)
_PRESENT = NewScale(
    "presence", points=[(1, "Present"), (0, "Absent")], measurement=Measurement.NOMINAL
)
_CONTRADICTION = NewScale(
    "contradiction",
    points=[(1, "Direct contradiction"), (0, "Not a contradiction")],
    measurement=Measurement.NOMINAL,
)

SUBJECT_LINES = Protocol(
    scales=[_QUALITY],
    phases=[
        NewPhase(
            key="rating",
            title="Rate the subject lines",
            instructions=(
                "Read the e-mail, then the subject line, and rate the subject line on three "
                "qualities.\n\nJudge only what is written. Length and style do not count unless a "
                "question asks for them."
            ),
            suggestions=(
                "- Read the e-mail to its end before you look at the subject line.\n"
                "- Say to yourself what the e-mail is about, then see whether the line says it.\n"
                "- Rate each quality for itself: a dull line may be fluent, a smooth one may "
                "mislead."
            ),
            dimensions=[
                NewDimension(
                    key="informativeness",
                    name="Informativeness",
                    scale="quality",
                    question="Does it tell what the e-mail is about?",
                    definition=(
                        "Does the subject line carry the main point of the e-mail, so that a "
                        "reader knows whether it concerns them?"
                    ),
                ),
                NewDimension(
                    key="fluency",
                    name="Fluency",
                    scale="quality",
                    question="Does it read as a person would write it?",
                    definition="Is it grammatical and natural, as a careful writer would put it?",
                ),
                NewDimension(
                    key="overall",
                    name="Overall",
                    scale="quality",
                    question="How good is it as a subject line?",
                    definition=(
                        "All in all, how content would you be to send this e-mail under this "
                        "subject line?"
                    ),
                ),
            ],
        )
    ],
    groups=[NewGroup(key="crowd", name="Crowd", judges_per_unit=3, kind=GroupKind.CROWD)],
    settings={"source_title": "E-mail", "output_title": "Subject line to judge"},
)

OPINION_SUMMARIES = Protocol(
    scales=[_FIVE],
    phases=[
        NewPhase(
            key="rating",
            title="Rate the summaries",
            instructions="Read the reviews of one place, then rate every summary of them.",
            suggestions=(
                "Note what several reviews say before you read the summaries, and use the whole "
                "scale: the best of ten need not be very good."
            ),
            dimensions=[
                NewDimension(
                    key="aspect_relevance",
                    name="Aspect relevance",
                    scale="five",
                    question="Does it name what the reviews talk about most?",
                ),
                NewDimension(
                    key="self_coherence",
                    name="Self-coherence",
                    scale="five",
                    question="Do its sentences fit together?",
                ),
                NewDimension(
                    key="sentiment_consistency",
                    name="Sentiment consistency",
                    scale="five",
                    question="Does it feel about each point as the reviews do?",
                ),
                NewDimension(
                    key="readability",
                    name="Readability",
                    scale="five",
                    question="Is it easy to read?",
                ),
            ],
        )
    ],
    groups=[NewGroup(key="trained", name="Trained", judges_per_unit=2, kind=GroupKind.EXPERT)],
    settings={
        "layout": Layout.BATCH,
        "page_size": 10,
        "lease_minutes": 60 * 24 * 7,
        "source_title": "Reviews",
        "output_title": "Summary to judge",
    },
)

FACTS = Protocol(
    scales=[_SIX, _PRESENT, _CONTRADICTION],
    phases=[
        NewPhase(
            key="fluency",
            title="Fluency",
            instructions="Rate how well the summary reads. What it says does not count here.",
            dimensions=[
                NewDimension(
                    key="fluency",
                    name="Fluency",
                    scale="six",
                    question="Does it read as a person would write it?",
                )
            ],
        ),
        NewPhase(
            key="coverage",
            title="Coverage",
            instructions="For each fact, say whether the summary states it.",
            suggestions="Other words for the same thing count; what one may only guess does not.",
            dimensions=[
                NewDimension(
                    key="coverage",
                    name="Coverage",
                    scale="presence",
                    kind=DimensionKind.FACTS,
                    question="Is this fact in the summary?",
                )
            ],
        ),
        NewPhase(
            key="contradiction",
            title="Contradiction",
            instructions="For each fact, say whether the summary directly contradicts it.",
            suggestions="A fact that is left out is not contradicted.",
            dimensions=[
                NewDimension(
                    key="contradiction",
                    name="Contradiction",
                    scale="contradiction",
                    kind=DimensionKind.FACTS,
                    question="Does the summary contradict this fact?",
                )
            ],
        ),
    ],
    groups=[
        NewGroup(key="crowd", name="Crowd", judges_per_unit=10, kind=GroupKind.CROWD),
        NewGroup(key="expert", name="Experts", judges_per_unit=2, kind=GroupKind.EXPERT),
    ],
    settings={"source_title": "Facts and source", "output_title": "Summary to judge"},
)

PAIRWISE = Protocol(
    scales=[],
    phases=[
        NewPhase(
            key="comparing",
            title="Compare two outputs",
            instructions="Read the source, then both outputs, and say which of them is better.",
            dimensions=[
                NewDimension(
                    key="preference",
                    name="Preference",
                    kind=DimensionKind.PAIRWISE,
                    question="Which of the two is better?",
                    definition="All in all, which would you rather have been given?",
                    allows_tie=True,
                    allows_no_answer=True,
                )
            ],
        )
    ],
    groups=[NewGroup(key="crowd", name="Crowd", judges_per_unit=3, kind=GroupKind.CROWD)],
    settings={"output_title": "Outputs to compare"},
)

BEST_WORST = Protocol(
    scales=[],
    phases=[
        NewPhase(
            key="comparing",
            title="Choose the best and the worst",
            instructions="Read the source, then all outputs, and choose the best and the worst.",
            dimensions=[
                NewDimension(
                    key="preference",
                    name="Preference",
                    kind=DimensionKind.BEST_WORST,
                    question="Which is the best, and which the worst?",
                    definition="All in all, which would you most and least like to be given?",
                    allows_no_answer=True,
                )
            ],
        )
    ],
    groups=[NewGroup(key="crowd", name="Crowd", judges_per_unit=3, kind=GroupKind.CROWD)],
    settings={"output_title": "Outputs to compare", "set_size": 4},
)

PRESETS = {
    "subject_lines": ("Subject lines: 1-4, three dimensions, three judges", SUBJECT_LINES),
    "opinion_summaries": (
        "Opinion summaries: 1-5, four dimensions, two judges, batches of ten",
        OPINION_SUMMARIES,
    ),
    "pairwise": ("Pairs: the better of two outputs, or no difference, three judges", PAIRWISE),
    "best_worst": ("Sets of four: the best and the worst output, three judges", BEST_WORST),
    "facts": ("Facts: fluency 1-6, coverage and contradiction per fact", FACTS),
}
