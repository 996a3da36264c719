"""English function words, which METEOR 1.5 weighs less: a list of our own.

The program's own list holds the words that make up more than a thousandth of a large corpus. Ours
holds, after the grammars' closed classes, the determiners, pronouns, prepositions, conjunctions,
auxiliaries and particles, and what the tokenizer leaves of their contractions.
"""

NAME = "concord-1"
_WORDS = """
a an the this that these those some any no every each either neither both all half such
other another much many more most few fewer less least several enough own same
i me my mine myself you your yours yourself yourselves he him his himself she her hers herself
it its itself we us our ours ourselves they them their theirs themselves one
who whom whose which what where when why how whoever whatever whichever wherever whenever
someone somebody something anyone anybody anything everyone everybody everything
nobody nothing none there here
about above across after against along among around as at before behind below beneath beside
besides between beyond by despite down during except for from in inside into like near of off
on onto out outside over past per since than through throughout till to toward towards under
until up upon via with within without
and or but nor so yet if unless because although though while whereas whether
am is are was were be been being have has had having do does did doing done
can cannot could may might must shall should will would ought
not too very also just only even then now ever never again
s t d ll m re ve don doesn didn isn aren wasn weren hasn haven hadn won wouldn couldn shouldn
"""
ENGLISH = frozenset(_WORDS.split())
LISTS = {NAME: ENGLISH, "none": frozenset[str]()}
