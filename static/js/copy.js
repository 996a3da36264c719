// A button marked data-copy copies its value and answers with "Copied" where it stands.
async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  // Over plain HTTP, as in a local network, browsers have only the old way.
  const field = document.createElement("textarea");
  field.value = text;
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const label = button.textContent;
  await copy(button.dataset.copy);
  button.textContent = button.dataset.copied || "Copied";
  setTimeout(() => { button.textContent = label; }, 1500);
});
