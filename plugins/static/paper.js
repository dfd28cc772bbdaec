/* The page of a paper: copy a citation; what a number tells stands inside the abstract, and Escape
   hides it. */
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
function show(number) {
  number.classList.remove("quiet", "up");
  const tip = number.querySelector(".tip");
  tip.style.left = "";
  const [text, own, box] = [number.closest(".abstract"), number, tip].map((e) => e.getBoundingClientRect());
  tip.style.left = `${Math.min(0, text.right - box.right)}px`;
  // above the last lines, else it would hide what stands below the abstract
  number.classList.toggle("up", box.bottom > text.bottom && own.top - box.height > text.top);
}
for (const number of document.querySelectorAll("a.number")) {
  for (const event of ["mouseenter", "focus"]) number.addEventListener(event, () => show(number));
}
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    document.querySelectorAll("a.number").forEach((number) => number.classList.add("quiet"));
  }
});
