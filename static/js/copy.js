// A button marked data-copy copies its value and answers with "Copied" where it stands.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const label = button.textContent;
  await navigator.clipboard.writeText(button.dataset.copy);
  button.textContent = button.dataset.copied || "Copied";
  setTimeout(() => { button.textContent = label; }, 1500);
});
