/* The SQL field: Ctrl + Enter runs it; a button lays it out (with Datasette's own formatter). */
const field = document.getElementById("sql-editor");
const format = document.getElementById("sql-format");
if (field) {
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey || event.shiftKey)) {
      event.preventDefault();
      field.form.requestSubmit();
    }
  });
  if (format && window.sqlFormatter) {
    format.hidden = false;
    format.addEventListener("click", () => {
      field.value = window.sqlFormatter.format(field.value);
    });
  }
}

/* The names of tables and columns are buttons that write at the cursor. */
const hint = document.getElementById("sql-insert-hint");
if (field && hint) {
  hint.hidden = false;
  for (const button of document.querySelectorAll("button.insert")) {
    button.addEventListener("click", () => {
      field.setRangeText(button.dataset.insert, field.selectionStart, field.selectionEnd, "end");
      field.focus();
    });
  }
}
