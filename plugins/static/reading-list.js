/* The reading list: papers with a star and a note, kept in this browser, sent nowhere.

   Stored as {paper id: {label, note, since}} under a name of this site's own. Buttons with
   data-star toggle, fields with data-note write, the page with #reading-list shows and exports. */
const base = document.documentElement.dataset.base || "/";
const STORE = `litsette reading list ${base}`;

function read() {
  try {
    const kept = JSON.parse(localStorage.getItem(STORE));
    return kept && typeof kept === "object" && !Array.isArray(kept) ? kept : {};
  } catch {
    return {};
  }
}
function write(list) {
  try {
    localStorage.setItem(STORE, JSON.stringify(list));
  } catch {
    /* storage is full or forbidden: the buttons show that nothing was kept */
  }
  show();
}
function change(id, values) {
  const list = read();
  if (values) list[id] = { label: "", note: "", since: new Date().toISOString(), ...list[id], ...values };
  else delete list[id];
  write(list);
}

function show() {
  const list = read();
  const size = Object.keys(list).length;
  for (const link of document.querySelectorAll("[data-reading-list]")) {
    link.hidden = !size;
    link.textContent = `Reading list (${size})`;
  }
  for (const button of document.querySelectorAll("button[data-star]")) {
    const kept = button.dataset.star in list;
    button.hidden = false;
    button.setAttribute("aria-pressed", String(kept));
    button.textContent = kept ? "★ kept" : "☆ keep";
    button.setAttribute("aria-label", `${kept ? "kept" : "keep"} on the reading list: ${button.dataset.label}`);
  }
  for (const field of document.querySelectorAll("textarea[data-note]")) {
    const kept = list[field.dataset.note];
    field.closest("label").hidden = !kept;
    if (kept && field !== document.activeElement) field.value = kept.note;
  }
  if (document.getElementById("reading-list")) showPage(list, size);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-star]");
  if (!button) return;
  const id = button.dataset.star;
  change(id, id in read() ? null : { label: button.dataset.label });
});
document.addEventListener("input", (event) => {
  const field = event.target.closest("textarea[data-note]");
  if (field) change(field.dataset.note, { note: field.value });
});
addEventListener("storage", (event) => event.key === STORE && show());

/* -- the page of the list -- */

function made(name, values = {}, ...children) {
  const element = Object.assign(document.createElement(name), values);
  element.append(...children);
  return element;
}

function showPage(list, size) {
  const place = document.getElementById("reading-list");
  document.getElementById("nothing-kept").hidden = size > 0;
  document.getElementById("list-files").hidden = size === 0;
  const wanted = Object.keys(list).sort((a, b) => list[b].since.localeCompare(list[a].since));
  const there = [...place.querySelectorAll("[data-kept]")].map((item) => item.dataset.kept);
  if (wanted.join() === there.join()) return; // a note is being typed
  place.replaceChildren(
    ...wanted.map((id) => {
      const { label, note } = list[id];
      const remove = made("button", { type: "button", textContent: "remove" });
      remove.setAttribute("aria-label", `Remove ${label}`);
      remove.addEventListener("click", () => {
        change(id, null);
        document.getElementById("list-status").textContent = `${label} is removed.`;
        (place.querySelector("textarea") || document.querySelector("h1")).focus();
      });
      const field = made("textarea", { value: note, rows: 2 });
      field.dataset.note = id;
      const link = made("a", { href: `${base}library/papers/${id}` }, made("bdi", { textContent: label || id }));
      const item = made("li", { className: "card" }, made("h3", {}, link), made("label", {}, "Note", field), remove);
      item.dataset.kept = id;
      return item;
    }),
  );
}

async function papers(ending) {
  const ids = Object.keys(read());
  let text = "";
  let count = 0;
  while (ids.length) {
    const some = ids.splice(0, 1000).join(","); // as many as an address holds
    const answer = await fetch(`${base}library/-/export/papers.${ending}?id__in=${some}`);
    if (!answer.ok) throw new Error(answer.status);
    text += await answer.text();
    count += Number(answer.headers.get("x-row-count"));
  }
  return [text, count];
}
const latex = { "\\": "\\textbackslash{}", "{": "\\textbraceleft{}", "}": "\\textbraceright{}", "^": "\\textasciicircum{}", "~": "\\textasciitilde{}" };
const writers = {
  async bib(list) {
    const [text, count] = await papers("bib");
    const keys = Object.fromEntries(Object.keys(list).map((id) => [Number(id).toString(36), list[id].note]));
    const noted = text.replace(/^@\w+\{\w*_(\w+),$/gm, (line, key) => {
      const note = (keys[key] || "").replace(/\s+/g, " ").trim();
      return note ? `${line}\n  annote = {${note.replace(/[\\{}$&#%_^~]/g, (c) => latex[c] || `\\${c}`)}},` : line;
    });
    return [noted, count];
  },
  async jsonl(list) {
    const [text, count] = await papers("jsonl");
    const rows = text.split("\n").filter(Boolean).map((line) => JSON.parse(line));
    return [rows.map(({ search_text, ...row }) => `${JSON.stringify({ ...row, note: list[row.id].note, since: list[row.id].since })}\n`).join(""), count];
  },
  async csv(list) {
    const columns = ["id", "label", "title", "venue", "year", "doi", "url", "note", "since"];
    const [text, count] = await writers.jsonl(list);
    // as in "CSV for Excel": no spreadsheet takes a text for a formula
    const guarded = (value) => (typeof value === "string" && /^[=+\-@\t\r\n＝＋－＠']/.test(value) ? `'${value}` : value ?? "");
    const quoted = (value) => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
    const cell = (value) => quoted(guarded(value));
    const rows = text.split("\n").filter(Boolean).map((line) => JSON.parse(line));
    return [[columns, ...rows.map((row) => columns.map((name) => cell(row[name])))].map((row) => `${row.join(",")}\r\n`).join(""), count];
  },
};
for (const button of document.querySelectorAll("button[data-list-as]")) {
  button.addEventListener("click", async () => {
    const status = document.getElementById("list-status");
    const list = read();
    try {
      const [text, count] = await writers[button.dataset.listAs](list);
      const link = made("a", { href: URL.createObjectURL(new Blob([text])), download: `reading-list.${button.dataset.listAs}` });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
      const gone = Object.keys(list).length - count;
      status.textContent = `${count} written${gone ? `, ${gone} not in this library any more` : ""}.`;
    } catch {
      status.textContent = "This did not work; try again.";
    }
  });
}
document.getElementById("list-from")?.addEventListener("change", async (event) => {
  const status = document.getElementById("list-status");
  try {
    const lines = (await event.target.files[0].text()).split("\n").filter(Boolean).map((line) => JSON.parse(line));
    const list = read();
    for (const { id, label, note, since } of lines) {
      if (!Number.isSafeInteger(id)) throw new TypeError();
      list[id] = { label: String(label ?? ""), note: String(note ?? ""), since: String(since ?? new Date().toISOString()) };
    }
    write(list);
    status.textContent = `${lines.length} read.`;
  } catch {
    status.textContent = "This is no list that was saved here as JSON lines.";
  }
});
show();
