// Sorting of tables, and the charts. The page reads without it.
'use strict';

(function () {
  // ---- tables: a column's head becomes a button that sorts by it, the greatest first ----

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

  for (const table of document.querySelectorAll('table')) {
    for (const head of table.tHead.rows[0].cells) {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = head.textContent;
      button.addEventListener('click', () => sortBy(table, head));
      head.replaceChildren(button);
    }
  }

  // ---- charts ----

  const data = JSON.parse(document.getElementById('chart-data').textContent);
  const perSecond = 1000 / data.window_ms;
  const views = {
    rows: {
      levels: {
        columns: ['pending', 'claimed', 'executing', 'ceiling'],
        scale: 1,
        series: {
          pending: {axis: 'y2', fillGraph: true},
          ceiling: {strokePattern: [6, 4]},
        },
        ylabel: 'claimed, executing, ceiling',
        y2label: 'pending',
      },
      flows: {
        columns: ['appended', 'claims', 'completed'],
        scale: perSecond,
        series: {claims: {strokePattern: [6, 4]}},
        ylabel: 'rows a second',
      },
    },
    requests: {
      levels: {
        columns: ['waiting', 'in flight'],
        scale: 1,
        series: {waiting: {fillGraph: true}},
        ylabel: 'requests',
      },
      flows: {
        columns: ['admitted', 'answered in time', 'refused 429', 'refused 503'],
        scale: perSecond,
        series: {admitted: {strokePattern: [6, 4]}, 'refused 503': {strokePattern: [2, 2]}},
        ylabel: 'requests a second',
      },
    },
  };
  const colourOf = {
    pending: '--pending', claimed: '--claimed', executing: '--executing', ceiling: '--ceiling',
    appended: '--pending', claims: '--claimed', completed: '--executing',
    waiting: '--pending', 'in flight': '--executing',
    admitted: '--pending', 'answered in time': '--executing', 'refused 429': '--claimed', 'refused 503': '--ceiling',
    'in use': '--executing', size: '--ceiling', unready: '--fault', processes: '--ceiling',
  };
  const groups = ['rows', 'requests'].filter((group) => data[group].length > 0);
  // Requests stand in front of rows: what is refused there never becomes a row.
  let of = groups[groups.length - 1];
  let charts = [];
  let synchronizer = null;
  let shown = 'levels';
  let zoomed = null;

  function colour(variable) {
    return getComputedStyle(document.documentElement).getPropertyValue(variable).trim();
  }

  // Levels alone, whatever is shown of the tenants; what never changes is a dashed line.
  function fleetView(subject) {
    const columns = Object.keys(subject).filter((key) => key !== 'name');
    const series = {};
    for (const column of columns.filter((name) => !Array.isArray(subject[name]))) {
      series[column] = {strokePattern: [6, 4]};
    }
    return {columns, scale: 1, series, ylabel: ''};
  }

  function valueOf(values, window) {
    return Array.isArray(values) ? values[window] : values;
  }

  // A row for each window's start, and one for the end of the last, which holds its values.
  function rowsOf(subject, view) {
    const rows = [];
    for (let i = 0; i <= data.windows; ++i) {
      const window = Math.min(i, data.windows - 1);
      const end = Math.min(i * data.window_ms, Math.max(data.duration_ms, window * data.window_ms));
      rows.push([end / 1000, ...view.columns.map((column) => valueOf(subject[column], window) * view.scale)]);
    }
    return rows;
  }

  function drawMarks(context, area, chart) {
    const left = (ms) => Math.max(area.x, Math.min(area.x + area.w, chart.toDomXCoord(ms / 1000)));
    context.fillStyle = colour('--warmup');
    context.fillRect(area.x, area.y, left(data.warmup_ms) - area.x, area.h);
    for (const mark of data.marks) {
      const from = left(mark.at_ms);
      const to = left(mark.until_ms);
      const outside = chart.toDomXCoord(mark.until_ms / 1000) < area.x ||
          chart.toDomXCoord(mark.at_ms / 1000) > area.x + area.w;
      if (outside) {
        continue;
      }
      if (mark.kind === 'fault') {
        // A line where it happened, a bar along the foot for as long as it lasts.
        context.fillStyle = colour('--fault');
        context.fillRect(from, area.y, 1.5, area.h);
        context.fillRect(from, area.y + area.h - 4, to - from, 4);
      } else {
        context.fillStyle = colour('--shift');
        context.fillRect(from, area.y, Math.max(to - from, 1.5), area.h);
      }
    }
  }

  function optionsFor(view, place) {
    const narrow = document.body.clientWidth < 640;
    const options = {
      labels: ['seconds', ...view.columns],
      colors: view.columns.map((column) => colour(colourOf[column])),
      series: view.series,
      stepPlot: true,
      strokeWidth: 1.6,
      fillAlpha: 0.18,
      legend: 'always',
      labelsDiv: document.getElementById('legend-' + place),
      ylabel: narrow ? undefined : view.ylabel,
      y2label: narrow ? undefined : view.y2label,
      axisLineColor: colour('--line'),
      gridLineColor: colour('--line'),
      dateWindow: zoomed,
      includeZero: true,
      underlayCallback: drawMarks,
      axes: {
        x: {
          axisLabelFormatter: (x) => String(Number(x.toPrecision(6))) + ' s',
          valueFormatter: (x) => String(Number(x.toPrecision(9))) + ' s',
        },
        y: {axisLabelWidth: narrow ? 34 : 50, includeZero: true},
        y2: {axisLabelWidth: narrow ? 34 : 50, includeZero: true, drawGrid: false, independentTicks: true},
      },
      animatedZooms: false,
      drawCallback: (chart) => {
        zoomed = chart.isZoomed('x') ? chart.xAxisRange() : null;
      },
    };
    if (matchMedia('(pointer: coarse)').matches) {
      options.interactionModel = {};  // a finger on a chart scrolls the page; the buttons zoom
    }
    return options;
  }

  function drawCharts() {
    if (synchronizer !== null) {
      synchronizer.detach();
      synchronizer = null;
    }
    charts.forEach((chart) => chart.destroy());
    for (const group of document.querySelectorAll('[data-charts]')) {
      group.hidden = group.dataset.charts !== of;
    }
    const chartsOf = (group, viewOf) => data[group].map((subject, index) => {
      const view = viewOf(subject);
      const place = group + '-' + index;
      return new Dygraph(document.getElementById('chart-' + place), rowsOf(subject, view), optionsFor(view, place));
    });
    charts = of === undefined ? [] : chartsOf(of, () => views[of][shown]);
    charts = charts.concat(chartsOf('fleet', fleetView));
    if (charts.length > 1) {
      synchronizer = Dygraph.synchronize(charts, {zoom: true, selection: true, range: false});
    }
  }

  function zoom(how) {
    const [first, last] = charts[0].xAxisExtremes();
    const [from, to] = charts[0].xAxisRange();
    const width = {in: (to - from) / 2, out: (to - from) * 2}[how] || to - from;
    const middle = (from + to) / 2 + ({left: -1, right: 1}[how] || 0) * (to - from) / 2;
    const start = Math.max(first, Math.min(middle - width / 2, last - width));
    zoomed = how === 'all' || width >= last - first ? null : [start, start + width];
    charts[0].updateOptions({dateWindow: zoomed});
  }

  if (data.windows > 0 && groups.length + data.fleet.length > 0) {
    drawCharts();
    const controls = document.querySelector('.controls');
    controls.hidden = false;
    for (const button of controls.querySelectorAll('button')) {
      button.addEventListener('click', () => zoom(button.dataset.zoom));
    }
    for (const radio of controls.querySelectorAll('input')) {
      radio.addEventListener('change', () => {
        if (radio.name === 'of') {
          of = radio.value;
        } else {
          shown = radio.value;
        }
        drawCharts();
      });
    }
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawCharts);
    addEventListener('beforeprint', () => {
      document.documentElement.classList.add('paper');
      document.querySelectorAll('details').forEach((details) => { details.open = true; });
      drawCharts();
    });
    addEventListener('afterprint', () => {
      document.documentElement.classList.remove('paper');
      drawCharts();
    });
  }
  document.body.dataset.ready = '1';
})();
