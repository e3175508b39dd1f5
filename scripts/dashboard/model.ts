/** Row of the dashboard; places and ids are computed. */
export interface Row {
  readonly title: string
  readonly panels: readonly Panel[]
}

export interface Panel {
  readonly title: string
  readonly kind: 'timeseries' | 'stat' | 'heatmap'
  readonly unit: Unit
  readonly queries: readonly Query[]
  /** Columns of 24; default: 8. */
  readonly width?: number
}

export type Unit = 'short' | 's' | 'bytes' | 'Bps' | 'percentunit' | 'ops' | 'reqps'

export interface Query {
  /** PromQL in which `{S}` is the selector of the chosen release. */
  readonly expr: string
  /** Grafana's template of the legend, as in `{{stage}}`. */
  readonly legend: string
}

/** Shown metrics of all replicas, of the chosen release. */
export const selector = 'namespace="$namespace",job=~"(.+/)?$release-metrics"'
