/* Duplicates by keyboard: j and k go to the next and the previous question, s, v and n say
   "same", "version" and "not the same" where the page has these buttons. */
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (event.target.closest("input, textarea, select, [contenteditable]")) return;
  const key = event.key.toLowerCase();
  const button = document.querySelector(`button[data-key="${CSS.escape(key)}"]`);
  const link = document.querySelector(`a[data-key="${CSS.escape(key)}"]`);
  if (button) {
    event.preventDefault();
    button.click();
  } else if (link) {
    event.preventDefault();
    link.click();
  } else if (key === "j" || key === "k") {
    const questions = [...document.querySelectorAll("a[data-question]")];
    if (!questions.length) return;
    const here = questions.indexOf(document.activeElement);
    const there = key === "j" ? Math.min(here + 1, questions.length - 1) : Math.max(here - 1, 0);
    event.preventDefault();
    questions[there].focus();
  }
});
/* a second click while the first is on its way would say it of the next pair */
for (const form of document.querySelectorAll("form.verdicts")) {
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = "yes";
  });
}
window.addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form.verdicts")) delete form.dataset.sent;
});
