// Moments in the reader's own time, where the page tells them in universal time.
for (const time of document.querySelectorAll("time[data-moment]")) {
  const words = { dateStyle: "long", timeStyle: "short" };
  time.textContent = new Date(time.dateTime).toLocaleString(document.documentElement.lang, words);
}
