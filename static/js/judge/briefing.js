// Escape leads from instructions that are read again back to the page they were opened on.
const button = document.querySelector("[data-escape]");

button.querySelector("kbd").hidden = false;
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
  button.click();
});
