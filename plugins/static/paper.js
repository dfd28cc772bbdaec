/* The page of a paper: copy a citation; Escape hides what a number tells. */
async function copied(text, element) {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text);
    return true;
  }
  const range = document.createRange(); // pages that are not on this machine and not https
  range.selectNodeContents(element);
  getSelection().removeAllRanges();
  getSelection().addRange(range);
  return document.execCommand("copy");
}
for (const button of document.querySelectorAll("button.copy")) {
  const source = document.getElementById(button.dataset.copy);
  const status = button.parentElement.querySelector("[role=status]");
  button.hidden = false;
  button.addEventListener("click", async () => {
    const done = await copied(source.textContent, source).catch(() => false);
    status.textContent = done ? "copied" : "select the text and copy it";
  });
}
for (const number of document.querySelectorAll("a.number")) {
  for (const event of ["mouseenter", "focus"]) {
    number.addEventListener(event, () => number.classList.remove("quiet"));
  }
}
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    document.querySelectorAll("a.number").forEach((number) => number.classList.add("quiet"));
  }
});
