// The page in the browser draws rows of the dashboard into <main>.
import uPlot from 'uplot'

interface DrawnRow {
  readonly title: string
  readonly panels: readonly DrawnPanel[]
  /** Seconds since the epoch. */
  readonly times: readonly number[]
}

interface DrawnPanel {
  readonly title: string
  readonly kind: string
  readonly unit: string
  readonly width: number
  readonly series: readonly {
    readonly name: string
    readonly values: readonly (number | null)[]
  }[]
}

const colours = ['#2f6f44', '#1f6feb', '#bc4c00', '#8250df', '#cf222e', '#9a6700', '#0a7ea4']

const units: Readonly<Record<string, (value: number) => string>> = {
  s: (value) => (value > 0 && value < 1 ? `${short(value * 1_000)} ms` : `${short(value)} s`),
  bytes: (value) => `${Math.round(value / 1_048_576)} MB`,
  Bps: (value) => `${Math.round(value / 1_000)} kB/s`,
  percentunit: (value) => `${short(value * 100)} %`,
  ops: (value) => `${short(value)}/s`,
  reqps: (value) => `${short(value)}/s`,
}

function short(value: number): string {
  return String(Number(value.toPrecision(3)))
}

function drawRow({ title, panels, times }: DrawnRow): void {
  const main = document.querySelector('main')
  if (main === null) return
  main.replaceChildren()
  const heading = main.appendChild(document.createElement('h1'))
  heading.append(`${title} `)
  heading.appendChild(document.createElement('small')).textContent =
    "the project's own drawing of the dashboard's panels, not Grafana"
  const grid = main.appendChild(document.createElement('div'))
  grid.className = 'panels'
  for (const panel of panels) {
    const section = grid.appendChild(document.createElement('section'))
    section.style.gridColumn = `span ${panel.width}`
    section.appendChild(document.createElement('h2')).textContent = panel.title
    draw(section, panel, times)
  }
}

function draw(section: HTMLElement, panel: DrawnPanel, times: readonly number[]): void {
  const { kind, unit, series } = panel
  const [first] = series
  // A heat map counts; its unit is that of its buckets.
  const format = (kind === 'heatmap' ? undefined : units[unit]) ?? short
  if (first === undefined) {
    section.append('No data')
  } else if (kind === 'stat') {
    const last = first.values.findLast((value) => value !== null)
    const figure = section.appendChild(document.createElement('div'))
    figure.className = 'figure'
    figure.textContent = typeof last === 'number' ? format(last) : 'No data'
  } else {
    const options: uPlot.Options = {
      width: section.clientWidth - 16,
      height: 190,
      cursor: { show: false },
      legend: { live: false },
      scales: { y: { range: (_plot, _low, high) => [0, high > 0 ? high * 1.1 : 1] } },
      axes: [{}, { size: 64, values: (_plot, ticks) => ticks.map(format) }],
      series: [
        {},
        ...series.map(({ name }, at) => ({
          label: name,
          stroke: colours[at % colours.length] ?? '#000',
          width: 1.5,
          points: { show: false },
        })),
      ],
    }
    const data = [[...times], ...series.map(({ values }) => [...values])] as uPlot.AlignedData
    void new uPlot(options, data, section)
  }
}

// draw-dashboard.ts calls it.
Object.assign(globalThis, { drawRow })
