"""What a judge does in the browser, and what is stored afterwards."""

from playwright.sync_api import expect

from annotation.models import Rating, RatingEvent


class JudgePage:
    """One judge at one page; things are found as a person finds them."""

    def __init__(self, page, live_server, token):
        self.page = page
        self.url = f"{live_server.url}/j/{token}/"
        page.set_default_timeout(20_000)

    def open(self):
        self.page.goto(self.url)
        self.expect_saved()
        return self

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)

    def dispatch(self, **event):
        """Send a key as another keyboard would."""
        self.page.evaluate(
            "(event) => document.activeElement.dispatchEvent(new KeyboardEvent('keydown',"
            " {bubbles: true, cancelable: true, ...event}))",
            event,
        )

    def expect_state(self, text):
        expect(self.page.locator("[data-save-state]")).to_contain_text(text, timeout=30_000)

    def expect_output(self, number, *, of):
        expect(self.page.get_by_role("heading", level=1)).to_have_text(
            f"Output {number} of {of}", timeout=15_000
        )

    def expect_saved(self):
        """Wait until everything pressed so far has been acknowledged, in any language."""
        self.page.wait_for_timeout(50)
        state = self.page.locator("[data-save-state]")
        expect(state).to_have_attribute("data-state", "saved", timeout=30_000)
        expect(state).to_be_visible()

    def chosen(self):
        """Return the values of the chosen points, in order."""
        return self.page.locator("main input:checked").evaluate_all("all => all.map(x => x.value)")

    def focused(self):
        """Return the name of the question that has the focus."""
        return self.page.evaluate(
            "document.activeElement.closest('[data-question]')?.dataset.name ?? null"
        )


def stored():
    """Return all ratings as (position of the output, dimension, value)."""
    ratings = Rating.objects.order_by("assignment__position", "dimension__position", "fact_id")
    return [
        (rating.assignment.position, rating.dimension.key, rating.value)
        for rating in ratings.select_related("assignment", "dimension")
    ]


def values():
    """Return the values of all ratings, in order."""
    return [value for _, _, value in stored()]


def n_events():
    """Return how many changes of ratings are on record."""
    return RatingEvent.objects.count()
