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
