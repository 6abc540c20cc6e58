// The charts: timelines that zoom together, and the curves of distributions. The page reads without them.
'use strict';

(function () {
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
      waits: {
        columns: ['longest wait'],
        scale: 1,
        series: {'longest wait': {fillGraph: true}},
        ylabel: 'longest wait of rows that started, ms',
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
  const quotaView = {
    columns: ['executing', 'ceiling', 'quota'],
    scale: 1,
    series: {executing: {fillGraph: true}, ceiling: {strokePattern: [6, 4]}, quota: {strokePattern: [2, 3]}},
    ylabel: 'rows',
  };
  const colourOf = {
    quota: '--fault', 'longest wait': '--claimed',
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
    for (const choice of document.querySelectorAll('label[data-of]')) {
      choice.hidden = choice.dataset.of !== of;
    }
    if (of !== undefined && views[of][shown] === undefined) {
      shown = 'levels';
      document.querySelector('input[name=show][value=levels]').checked = true;
    }
    const chartsOf = (group, viewOf) => data[group].map((subject, index) => {
      const view = viewOf(subject);
      const place = group + '-' + index;
      return new Dygraph(document.getElementById('chart-' + place), rowsOf(subject, view), optionsFor(view, place));
    });
    charts = of === undefined ? [] : chartsOf(of, () => views[of][shown]);
    charts = charts.concat(chartsOf('fleet', fleetView));
    charts = charts.concat(data.quota.map((row, index) => new Dygraph(
        document.getElementById('chart-quota-' + index), rowsOf(data.rows[row], quotaView),
        optionsFor(quotaView, 'quota-' + index))));
    if (charts.length > 1) {
      synchronizer = Dygraph.synchronize(charts, {zoom: true, selection: true, range: false});
    }
  }

  function zoom(how) {
    if (charts.length === 0) {
      return;
    }
    const [first, last] = charts[0].xAxisExtremes();
    const [from, to] = charts[0].xAxisRange();
    const width = {in: (to - from) / 2, out: (to - from) * 2}[how] || to - from;
    const middle = (from + to) / 2 + ({left: -1, right: 1}[how] || 0) * (to - from) / 2;
    const start = Math.max(first, Math.min(middle - width / 2, last - width));
    zoomed = how === 'all' || width >= last - first ? null : [start, start + width];
    charts[0].updateOptions({dateWindow: zoomed});
  }

  // ---- distributions: one chart, of what is chosen ----

  const dashes = [[], [6, 3], [2, 2], [8, 3, 2, 3]];
  const curveColours = ['--curve-0', '--curve-1', '--curve-2', '--curve-3', '--curve-4', '--curve-5', '--curve-6',
                        '--curve-7'];
  let distribution = null;
  let chosen = 0;

  // The axis is the logarithm; what took no time at all stands half a decade before the first bound.
  function place(ms) {
    return ms === 0 ? Math.log10(data.bounds_ms[1]) - 0.5 : Math.log10(ms);
  }

  function drawDistribution() {
    if (distribution !== null) {
      distribution.destroy();
    }
    const curves = data.distributions[chosen].curves;
    const bounds = data.bounds_ms.slice(0, Math.max(2, ...curves.map((curve) => curve.at_most.length)));
    const rows = bounds.map((ms, i) => [
      place(ms),
      ...curves.map((curve) => 100 * curve.at_most[Math.min(i, curve.at_most.length - 1)] / curve.count),
    ]);
    const series = {};
    const labels = curves.map((curve) => curve.name + ' (n ' + curve.count + ')');
    labels.forEach((label, i) => { series[label] = {strokePattern: dashes[i % dashes.length]}; });
    const first = Math.ceil(place(0));
    const ticks = [{v: place(0), label: '0'}];
    for (let power = first; power <= place(bounds[bounds.length - 1]) + 0.01; ++power) {
      ticks.push({v: power, label: power < 3 ? String(Number((10 ** power).toPrecision(1))) + ' ms'
                                             : 10 ** (power - 3) + ' s'});
    }
    distribution = new Dygraph(document.getElementById('chart-distribution'), rows, {
      labels: ['ms', ...labels],
      colors: labels.map((label, i) => colour(curveColours[i % curveColours.length])),
      series,
      strokeWidth: 2,
      legend: 'always',
      labelsDiv: document.getElementById('legend-distribution'),
      axisLineColor: colour('--line'),
      gridLineColor: colour('--line'),
      valueRange: [0, 102],
      axes: {
        x: {
          ticker: () => ticks,
          valueFormatter: (x) => 'at most ' + (x <= place(0) ? '0' : String(Number((10 ** x).toPrecision(3)))) + ' ms',
        },
        y: {
          axisLabelFormatter: (y) => y + '%', valueFormatter: (y) => y.toFixed(1) + '%', axisLabelWidth: 42,
        },
      },
      interactionModel: {mousemove: Dygraph.defaultInteractionModel.mousemove},
    });
  }

  // ---- what redraws them ----

  function drawAll() {
    drawCharts();
    if (data.distributions.length > 0) {
      drawDistribution();
    }
  }

  const keys = {'+': 'in', '=': 'in', '-': 'out', ArrowLeft: 'left', ArrowRight: 'right', 0: 'all', Home: 'all'};
  for (const chart of document.querySelectorAll('.chart[tabindex]')) {
    chart.addEventListener('keydown', (event) => {
      const how = keys[event.key];
      if (how !== undefined && !event.ctrlKey && !event.metaKey && !event.altKey) {
        event.preventDefault();
        zoom(how);
      }
    });
  }
  for (const controls of document.querySelectorAll('.controls')) {
    controls.hidden = false;
    for (const button of controls.querySelectorAll('button[data-zoom]')) {
      button.addEventListener('click', () => zoom(button.dataset.zoom));
    }
    for (const radio of controls.querySelectorAll('input')) {
      radio.addEventListener('change', () => {
        if (radio.name === 'distribution') {
          chosen = Number(radio.value);
          drawDistribution();
          return;
        }
        if (radio.name === 'of') {
          of = radio.value;
        } else {
          shown = radio.value;
        }
        drawCharts();
      });
    }
  }
  if (data.windows > 0) {
    drawAll();
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAll);
    addEventListener('beforeprint', () => {
      document.documentElement.classList.add('paper');
      document.querySelectorAll('details').forEach((details) => { details.open = true; });
      drawAll();
    });
    addEventListener('afterprint', () => {
      document.documentElement.classList.remove('paper');
      drawAll();
    });
  }
})();
