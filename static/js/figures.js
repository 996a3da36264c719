// A figure drawn by the server becomes one that answers the pointer when it comes into view. Where
// that fails, and in print, the server's drawing stays.
const narrow = window.matchMedia("(max-width: 40rem)");
// No eval and no inline style, so that the page keeps its strict policy.
const OPTIONS = {
  ast: true,
  actions: false,
  renderer: "svg",
  defaultStyle: false,
  tooltip: { disableDefaultStyle: true },
};

async function enliven(paper) {
  const address = narrow.matches ? paper.dataset.narrow : paper.dataset.wide;
  const drawing = paper.querySelector("img");
  drawing.loading = "eager"; // print needs it, and once hidden it would never come into view
  const wanted = [fetch(address), import(paper.dataset.renderer), drawing.decode()];
  const [answer] = await Promise.all(wanted);
  if (!answer.ok) return;
  const live = document.createElement("div");
  live.className = "live";
  await window.vegaEmbed(live, await answer.json(), OPTIONS);
  paper.append(live);
  paper.dataset.live = "";
}

const seen = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    seen.unobserve(target);
    enliven(target).catch((fault) => console.warn(`This figure stays as drawn: ${fault}`));
  }
}, { rootMargin: "200px" });

for (const paper of document.querySelectorAll("[data-renderer]")) seen.observe(paper);
