import { selector } from './model.ts'
import type { Panel, Row } from './model.ts'

const columns = 24
const height = 8
const datasource = { type: 'prometheus', uid: '$datasource' }

export interface GridPlace {
  readonly h: number
  readonly w: number
  readonly x: number
  readonly y: number
}

export interface DashboardPanel {
  readonly id: number
  readonly type: 'row' | Panel['kind']
  readonly title: string
  readonly gridPos: GridPlace
  readonly targets?: readonly { readonly refId: string; readonly expr: string }[]
}

/** The JSON model of Grafana; its ids and places follow from the order of rows and panels. */
export function buildDashboard(rows: readonly Row[]) {
  const panels: DashboardPanel[] = []
  let y = 0
  for (const { title, panels: own } of rows) {
    panels.push(rowPanel(panels.length + 1, title, y))
    y += 1
    let x = 0
    for (const panel of own) {
      const { width: w = 8 } = panel
      if (x + w > columns) [x, y] = [0, y + height]
      panels.push(dataPanel(panels.length + 1, panel, { h: height, w, x, y }))
      x += w
    }
    y += height
  }
  return {
    uid: 'cloud-ffmpeg',
    title: 'Cloud FFmpeg',
    schemaVersion: 39,
    version: 1,
    editable: true,
    refresh: '30s',
    tags: ['cloud-ffmpeg'],
    time: { from: 'now-6h', to: 'now' },
    templating: { list: variables },
    panels,
  }
}

const values = 'label_values(cloudffmpeg_build_info'
const variables = [
  { name: 'datasource', type: 'datasource', query: 'prometheus', label: 'Data source' },
  {
    name: 'namespace',
    type: 'query',
    label: 'Namespace',
    refresh: 2,
    datasource,
    query: `${values}, namespace)`,
  },
  {
    name: 'release',
    type: 'query',
    label: 'Release',
    refresh: 2,
    datasource,
    query: `${values}{namespace="$namespace"}, job)`,
    // The job of a PodMonitor begins with its namespace.
    regex: '/(?:.+\\/)?(.+)-metrics/',
  },
]

function rowPanel(id: number, title: string, y: number) {
  const gridPos = { h: 1, w: columns, x: 0, y }
  return { id, type: 'row' as const, title, collapsed: false, gridPos, panels: [] }
}

function dataPanel(id: number, { title, kind, unit, queries }: Panel, gridPos: GridPlace) {
  return {
    id,
    type: kind,
    title,
    gridPos,
    datasource,
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    options: optionsOf(kind),
    targets: queries.map(({ expr, legend }, index) => ({
      refId: String.fromCodePoint(65 + index),
      datasource,
      expr: expr.replaceAll('{S}', `{${selector}}`).replaceAll('{S,', `{${selector},`),
      legendFormat: legend,
      ...(kind === 'heatmap' ? { format: 'heatmap' } : {}),
    })),
  }
}

function optionsOf(kind: Panel['kind']): object {
  switch (kind) {
    case 'stat':
      return { reduceOptions: { calcs: ['lastNotNull'] } }
    case 'heatmap':
      return { calculate: false, yAxis: { unit: 's' } }
    case 'timeseries':
      return { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi' } }
  }
}
