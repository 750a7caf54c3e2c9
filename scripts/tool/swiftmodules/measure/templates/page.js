// Sorts the samples by the column whose heading is pressed; without script they stay in their order.
const compare = new Intl.Collator("en", { numeric: true }).compare;
for (const table of document.querySelectorAll("table.samples")) {
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
      table.tBodies[0].append(...[...table.tBodies[0].rows].sort(order));
    });
  });
}

// Gives back a record that this page holds.
for (const save of document.querySelectorAll("button.save")) {
  save.hidden = false;
  save.addEventListener("click", () => {
    const link = document.createElement("a");
    const text = document.getElementById(save.dataset.record).textContent;
    link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    link.download = "results.json";
    link.click();
  });
}
