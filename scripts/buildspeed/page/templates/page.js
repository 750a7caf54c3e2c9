// Sorts the samples by the column whose heading is pressed; without script they stay in their order.
const table = document.getElementById("sample-table"), body = table.tBodies[0];
const compare = new Intl.Collator("en", { numeric: true }).compare;
[...table.tHead.rows[0].cells].forEach((heading, column) => {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = heading.textContent;
  heading.replaceChildren(button);
  button.addEventListener("click", () => {
    const ascending = heading.ariaSort !== "ascending";
    const key = row => row.cells[column].textContent;
    const order = (a, b) => (key(a) - key(b) || compare(key(a), key(b))) * (ascending ? 1 : -1);
    for (const other of heading.parentNode.cells) other.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", ascending ? "ascending" : "descending");
    body.append(...[...body.rows].sort(order));
  });
});

// Gives back the record that this page holds.
const save = document.getElementById("save");
save.hidden = false;
save.addEventListener("click", () => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([document.getElementById("record").textContent], { type: "application/json" }));
  link.download = "results.json";
  link.click();
});
