"""Which letters languages use: a text in the wrong encoding has some that go together in none."""

from collections.abc import Callable, Iterable, Sequence

WEST = (
    "äöüß", "àâæçéèêëîïôœùûüÿ", "áéíñóúü", "áâãàçéêíóôõúü", "àèéìíîòóùú", "àçèéíïòóúü", "åäö",
    "åæøéäö", "áðéíóúýþæö", "éëïóöüèá", "äõöüšž",
)  # fmt: skip
CENTRE = (
    "ąćęłńóśźż", "áčďéěíňóřšťúůýž", "áäčďéíĺľňóôŕšťúýž", "áéíóöőúüű", "čćđšž", "ăâîşţ", "äöüß",
)  # fmt: skip
# In the order of how often files come in them; the first of equals is taken.
LATIN: tuple[tuple[str, Sequence[str]], ...] = (
    ("cp1252", WEST),
    ("cp1250", CENTRE),
    ("iso8859_2", CENTRE),
    ("cp1254", ("çğıiöşüâîû",)),
    ("cp1257", ("ąčęėįšųūž", "āčēģīķļņšūž")),
)
# The commonest signs of running text and of answers in a word.
COMMON = {
    "gb18030": (
        "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后"
        "作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因"
        "只从想实日者意无力它与长把机十第此已使情明性知全三又关点正外将两高间由问很最重并物手向头文体美相"
        "见利什二等新己果话合回特内信给位次度常先通原东声提比水名真处走各入几口条平气活更别打女变四总何数"
        "安少报才结太量再感做接必件管期直命便空听放难思完色路记品住求望清让差坏服务房贵宜干净店酒吃味菜慢"
        "快满低评价质普喜欢非错"
    ),
    "big5": (
        "的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後"
        "作裡用道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因"
        "只從想實日者意無力它與長把機十第此已使情明性知全三又關點正外將兩高間由問很最重並物手向頭文體美相"
        "見利什二等新己果話合回特內信給位次度常先通原東聲提比水名真處走各入幾口條平氣活更別打女變四總何數"
        "安少報才結太量再感做接必件管期直命便空聽放難思完色路記品住求望清讓差壞服務房貴宜乾淨店酒吃味菜慢"
        "快滿低評價質普喜歡非錯"
    ),
    "cp949": (
        "이다는에의가을하고지어은기도를한로서사리인나자아대시해라그있정일만으부수과보것스여게면원적장주전구"
        "제와들성동상니러안모음습조우소공무유미선말방없좋쁨요합였었겠네데식맛친절직호텔객실위치격화깨끗매너"
        "통"
    ),
    "cp932": (
        "日一国人年大十二本中長出三時行見月分後前生五間上東四今金九入学高円子外八六下来気小七山話女北午百"
        "書先名川千水半男西電校語何南万白天最満足不普通良悪美味料理部屋接客値段対応"
    ),
}
COMMON["euc_jp"] = COMMON["cp932"]
CLEARLY, AHEAD = 0.5, 0.2


def latin_encoding(read: Callable[[str], str | None], oddity: Callable[[str], float]) -> str:
    """Return the encoding in which all letters belong to one language of the Latin script.

    Parameters
    ----------
    read : callable
        Returns the text in a codec, or None where the bytes are none in it.
    oddity : callable
        Returns 0 for a text whose letters stand together as in words.

    Returns
    -------
    str
        A codec; nothing where no language has all the letters.
    """
    for codec, alphabets in LATIN:
        text = read(codec)
        if text is None or oddity(text):
            continue
        letters = {letter.lower() for letter in text if letter > "\x7f" and letter.isalpha()}
        if any(letters <= set(alphabet) for alphabet in alphabets):
            return codec
    return ""


def east_asian_encoding(readings: Iterable[tuple[str, str]]) -> str:
    """Return the encoding in which most letters are common ones, if one is clearly ahead.

    ``readings`` are codecs with the letters beyond ASCII that the bytes are in them.
    """
    shares = sorted(
        (
            (sum(letter in COMMON[codec] for letter in letters) / len(letters), codec)
            for codec, letters in readings
            if letters
        ),
        reverse=True,
    )
    if not shares or shares[0][0] < CLEARLY:
        return ""
    is_ahead = len(shares) == 1 or shares[0][0] - shares[1][0] >= AHEAD
    return shares[0][1] if is_ahead else ""
