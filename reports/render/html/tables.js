// Sorting of tables; the page reads without it. The last script of a page: it says when all have run.
'use strict';

(function () {
  // A column's head becomes a button that sorts by it, the greatest first.

  function sortValue(row, column) {
    const cell = row.cells[column];
    if (cell.classList.contains('n')) {
      return cell.dataset.v === undefined ? null : Number(cell.dataset.v);
    }
    return cell.textContent;
  }

  // Figures that do not exist come last in both directions.
  function compare(a, b, ascending) {
    if (a === null || b === null) {
      return (a === null) - (b === null);
    }
    const order = a < b ? -1 : a > b ? 1 : 0;
    return ascending ? order : -order;
  }

  function sortBy(table, head) {
    const column = head.cellIndex;
    const body = table.tBodies[0];
    const numeric = body.rows.length > 0 && body.rows[0].cells[column].classList.contains('n');
    const before = head.getAttribute('aria-sort');
    const ascending = before === null ? !numeric : before === 'descending';
    const rows = Array.from(body.rows);
    rows.sort((a, b) => compare(sortValue(a, column), sortValue(b, column), ascending));
    for (const other of head.parentNode.cells) {
      other.removeAttribute('aria-sort');
    }
    head.setAttribute('aria-sort', ascending ? 'ascending' : 'descending');
    body.append(...rows);
  }

  for (const table of document.querySelectorAll('table.sortable')) {
    for (const head of table.tHead.rows[0].cells) {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = head.textContent;
      button.title = head.title;
      button.addEventListener('click', () => sortBy(table, head));
      head.replaceChildren(button);
    }
  }
  addEventListener('load', () => { document.body.dataset.ready = '1'; });
})();
