// The browser of the recorded sweeps: a page of them at a time, in a table, with a sentence on each namespace.
'use strict';

(function () {
  const data = JSON.parse(document.getElementById('sweep-data').textContent);
  const perPage = 8;
  const fields = 9;
  const root = document.getElementById('sweep-browser');

  // ---- what the data says ----

  function sweepOf(entry) {
    const [number, ms, node, sweep, batch, active, leftOut, flat] = entry;
    const standings = [];
    for (let i = 0; i < flat.length; i += fields) {
      const [name, ceiling, claimed, headroom, claimable, granted, guaranteed, taken, cause] =
          flat.slice(i, i + fields);
      standings.push({
        name: data.names[name], ceiling, claimed, headroom, claimable, granted, guaranteed,
        extra: granted - guaranteed, taken, cause: data.causes[cause],
      });
    }
    return {number, ms, node: 'n' + (node + 1), sweep, batch, active, leftOut, standings};
  }
  const sweeps = data.entries.map(sweepOf);

  function passedOver(standing) {
    return standing.taken < standing.claimable && standing.claimable > 0;
  }

  function others(sweep, standing) {
    const winners = sweep.standings.filter((other) => other !== standing && other.taken > 0);
    winners.sort((a, b) => b.taken - a.taken);
    const named = winners.slice(0, 3).map((other) => other.name + ' got ' + other.taken);
    const rest = winners.length - named.length;
    return named.length === 0 ? '' : ' ' + named.join(', ') + (rest > 0 ? ' and ' + rest + ' more some.' : '.');
  }

  // Why the sweep gave it no more.
  function why(sweep, standing) {
    const {ceiling, claimed, headroom, claimable, granted, taken, cause} = standing;
    if (claimable === 0) {
      return 'Its due rows are paused: nothing is claimable.';
    }
    if (taken >= claimable) {
      return 'All that was claimable was claimed.';
    }
    if (granted > taken) {
      return `Granted ${granted}, but its claims found ${taken}: meanwhile rows had been taken, paused or handed off, ` +
          'or its headroom had shrunk.';
    }
    if (cause === 'own_ceiling') {
      return headroom === 0
          ? `It stands at its ceiling on this node: ${claimed} of ${ceiling} claimed, no headroom left.`
          : `It was given its whole headroom of ${headroom} (ceiling ${ceiling}, ${claimed} claimed).`;
    }
    if (cause === 'batch_budget') {
      return `The batch of ${sweep.batch} was used up; divided fairly among ${sweep.active} active, its part was ` +
          `${granted}.` + others(sweep, standing);
    }
    if (cause === 'lost_in_order') {
      return `It got ${granted}, less than its fair part of the batch of ${sweep.batch} among ${sweep.active} active: ` +
          'others were served first.' + others(sweep, standing);
    }
    return 'Held by ' + cause + '.';
  }

  // ---- the page ----

  function element(tag, properties, ...children) {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
  }

  const stretch = element('select', {id: 'stretch'});
  data.stretches.forEach(([label, first, last], i) => {
    stretch.append(element('option', {value: i, textContent: `${label} (${first} to ${last})`}));
  });
  const tenant = element('select', {id: 'passed-over'}, element('option', {value: '', textContent: 'all sweeps'}));
  for (const name of data.names) {
    tenant.append(element('option', {value: name, textContent: 'those that passed over ' + name}));
  }
  const position = element('output', {});
  const slider = element('input', {type: 'range', min: 0, step: 1, ariaLabel: 'sweep'});
  const earlier = element('button', {type: 'button', textContent: '\u25c0 earlier'});
  const later = element('button', {type: 'button', textContent: 'later \u25b6'});
  const body = element('div', {});
  root.append(
      element('div', {className: 'controls'},
              element('label', {}, 'Stretch ', stretch), element('label', {}, 'Show ', tenant),
              element('span', {className: 'pager'}, earlier, slider, later, position)),
      body);

  const columns = [
    ['namespace', ''], ['ceiling', 'of this node'], ['claimed', 'when the sweep planned'],
    ['headroom', 'ceiling less claimed'], ['claimable', 'rows'], ['guaranteed', 'granted as its sure part'],
    ['extra', 'granted of what was left'], ['claimed now', 'rows that its claims found'], ['why not more', ''],
  ];

  function tableOf(sweep) {
    const head = element('tr', {});
    for (const [title, hint] of columns) {
      head.append(element('th', {scope: 'col', textContent: title, title: hint}));
    }
    const rows = element('tbody', {});
    for (const standing of sweep.standings) {
      const row = element('tr', {className: passedOver(standing) ? 'passed-over' : ''},
                          element('th', {scope: 'row', textContent: standing.name}));
      ['ceiling', 'claimed', 'headroom', 'claimable', 'guaranteed', 'extra', 'taken'].forEach((field, i) => {
        const cell = element('td', {className: 'n', textContent: standing[field].toLocaleString('en')});
        cell.dataset.title = columns[i + 1][0];  // shown beside it where the page is too narrow for the head
        row.append(cell);
      });
      row.append(element('td', {className: 'why', textContent: why(sweep, standing)}));
      rows.append(row);
    }
    const caption = `Sweep ${sweep.number} (number ${sweep.sweep} of ${sweep.node}) at ${sweep.ms} ms: batch ${sweep.batch}, ` +
        `${sweep.active} active` + (sweep.leftOut > 0 ? `, ${sweep.leftOut} more with due rows not shown` : '');
    const table = element('table', {}, element('caption', {textContent: caption}), element('thead', {}, head), rows);
    const region = element('div', {className: 'scroll', tabIndex: 0}, table);
    region.setAttribute('role', 'region');
    region.setAttribute('aria-label', 'Sweep ' + sweep.number);
    return region;
  }

  let shown = [];  // sweeps of the stretch that are asked for
  let from = 0;

  function show(start) {
    from = Math.max(0, Math.min(start, shown.length - perPage));
    slider.max = Math.max(0, shown.length - perPage);
    slider.value = from;
    const page = shown.slice(from, from + perPage);
    position.textContent = page.length === 0
        ? 'none'
        : `${from + 1} to ${from + page.length} of ${shown.length}`;
    earlier.disabled = from === 0;
    later.disabled = from + perPage >= shown.length;
    body.replaceChildren(...page.map(tableOf));
  }

  // A stretch around an event opens at the event.
  function choose() {
    const [, first, last, event] = data.stretches[Number(stretch.value)];
    const name = tenant.value;
    shown = sweeps.filter((sweep) => sweep.number >= first && sweep.number <= last &&
        (name === '' || sweep.standings.some((standing) => standing.name === name && passedOver(standing))));
    show(event === 0 ? 0 : shown.findIndex((sweep) => sweep.number >= event) - Math.floor(perPage / 2));
  }

  stretch.addEventListener('change', choose);
  tenant.addEventListener('change', choose);
  earlier.addEventListener('click', () => show(from - perPage));
  later.addEventListener('click', () => show(from + perPage));
  slider.addEventListener('input', () => show(Number(slider.value)));
  choose();
})();
