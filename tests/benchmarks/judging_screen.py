"""Fifty judges at once, one of them in a real Chromium: what the person at the screen waits for.

49 HTTP clients make the calls of the screen, a key press each second, faster than anybody reads.
The browser rates with the keyboard; times are taken inside the page, from the key press to the
frame in which the next output stands, and from each save's start to its answer. They are wall
times, the ratio is the limit (100 ms, 300 ms, 150 kB) over ours. Skipped without a Chromium.
"""

import gzip
import random
import shutil
import tempfile
import time
from math import nan
from statistics import quantiles
from urllib.parse import urlsplit

from tests.benchmarks.judging import TimedJudge, spread
from tests.benchmarks.row import Row
from tests.load.judge import Enough
from tests.load.postgres import find_binaries, private_postgres
from tests.load.site import Site

N_CLIENTS = 49
N_RATED = 25  # outputs rated in the browser
PROBE = """
performance.setResourceTimingBufferSize(5000);
window.painted = [];
const shown = () => [...document.querySelectorAll("[data-output]")]
  .find((output) => output.checkVisibility())?.dataset.output;
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  const [before, pressed] = [shown(), performance.now()];
  const look = () => {
    if (shown() === before) return requestAnimationFrame(look);
    requestAnimationFrame(() => setTimeout(() => painted.push(performance.now() - pressed)));
  };
  requestAnimationFrame(look);
}, true);
"""
SAVES = """performance.getEntriesByType("resource")
  .filter((entry) => entry.name.includes("/ratings/"))
  .map((entry) => entry.responseEnd - entry.startTime)"""


def rows():
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None or find_binaries() is None:
        yield Row("50 judges at once: no Chromium or no PostgreSQL here", nan, "-", nan, nan)
        return
    with tempfile.TemporaryDirectory() as folder, private_postgres() as postgres:
        site = Site(folder, database_url=postgres.url)
        site.python("-m", "config.launching.prepare", "pages")
        tokens = site.prepare(n_outputs=1_000, n_judges=N_CLIENTS + 1)["tokens"]
        with site.running():
            yield from measure(site, chromium, tokens)


def measure(site, chromium, tokens):
    enough = Enough(10**6)
    clients = [TimedJudge(site.port, token, enough, pause=1.0) for token in tokens[1:]]
    for client in clients:
        client.start()
        time.sleep(random.random() / 25)  # noqa: S311 -- people do not press in step
    painted, saves, assets, hosts = rate_in_browser(site, chromium, tokens[0])
    enough.set()
    for client in clients:
        client.join()
    faults = sum(client.n_faults for client in clients)
    others = [took for client in clients for took in client.saves]
    yield row("next output painted, p95", p95(painted), 0.1, f"{len(painted)} outputs")
    yield row("save acknowledged in the browser, p95", p95(saves), 0.3, f"{len(saves)} saves")
    yield row(
        "save acknowledged by the 49 clients, p95",
        p95(others), 0.3, f"{spread(others)}; faults {faults}; {site.audit()}",
    )  # fmt: skip
    size = sum(assets.values()) / 1000
    foreign = hosts - {f"127.0.0.1:{site.port}"}
    note = f"{size:.0f} kB gzip in {len(assets)} requests; other hosts: {len(foreign)}"
    yield Row("page of the judge, all assets, against 150 kB", nan, "-", nan, 150 / size, note)


def rate_in_browser(site, chromium, token):
    """Rate; return seconds to paint, seconds to save, gzipped bytes by address, hosts asked."""
    from playwright.sync_api import sync_playwright

    assets, hosts = {}, set()

    def weigh(response):
        hosts.add(urlsplit(response.url).netloc)
        if response.ok and "/api/" not in response.url:
            assets[response.url] = len(gzip.compress(response.body()))

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1366, "height": 768})
        page.add_init_script(PROBE)
        page.on("response", weigh)
        page.goto(f"http://127.0.0.1:{site.port}/j/{token}/", wait_until="networkidle")
        for _ in range(N_RATED):
            for key in ("3", "2", "3", "Enter"):
                page.wait_for_timeout(300)
                page.keyboard.press(key)
        page.wait_for_timeout(2_000)
        painted, saves = page.evaluate("painted"), page.evaluate(SAVES)
        browser.close()
    return [ms / 1000 for ms in painted], [ms / 1000 for ms in saves], assets, hosts


def row(what, ours, limit, note):
    return Row(f"50 judges at once: {what}", ours, "the limit", limit, limit / ours, note)


def p95(times):
    return quantiles(times, n=20)[-1]
