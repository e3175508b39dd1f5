/** One line of a panel. */
export interface Series {
  readonly name: string
  /** One for each time; null where Prometheus has none. */
  readonly values: readonly (number | null)[]
}

export interface Range {
  /** Seconds since the epoch, in equal steps. */
  readonly times: readonly number[]
}

/** The last `lengthSeconds` up to `endSeconds`, in steps that a picture can show. */
export function rangeOf(endSeconds: number, lengthSeconds: number): Range {
  const step = Math.max(1, Math.round(lengthSeconds / 240))
  const end = Math.floor(endSeconds / step) * step
  const count = Math.floor(lengthSeconds / step) + 1
  return { times: Array.from({ length: count }, (_, at) => end - (count - 1 - at) * step) }
}

/**
 * @param legend Grafana's template of a name, as in `{{stage}}`; empty: the labels
 * @throws Error with what Prometheus says of the query
 */
export async function queryRange(
  prometheus: string,
  expr: string,
  legend: string,
  { times }: Range,
): Promise<Series[]> {
  const [start = 0, second = start + 1] = times
  const parameters = { query: expr, start, end: times.at(-1) ?? start, step: second - start }
  const query = new URLSearchParams(
    Object.entries(parameters).map(([name, value]) => [name, String(value)]),
  )
  const answer = await fetch(`${prometheus.replace(/\/$/, '')}/api/v1/query_range?${query}`)
  const body = (await answer.json()) as Answer
  if (body.status !== 'success') throw new Error(`${expr}: ${body.error ?? answer.status}`)
  return body.data.result.map(({ metric, values }) => {
    const at = new Map(values.map(([time, value]) => [time, Number(value)]))
    return {
      name: nameOf(legend, metric),
      values: times.map((time) => finite(at.get(time))),
    }
  })
}

interface Answer {
  readonly status: string
  readonly error?: string
  readonly data: {
    readonly result: readonly {
      readonly metric: Readonly<Record<string, string>>
      readonly values: readonly (readonly [number, string])[]
    }[]
  }
}

function nameOf(legend: string, metric: Readonly<Record<string, string>>): string {
  if (legend === '') return Object.values(metric).join(' ')
  return legend.replaceAll(/\{\{(\w+)\}\}/g, (_, label: string) => metric[label] ?? '')
}

function finite(value: number | undefined): number | null {
  return value === undefined || !Number.isFinite(value) ? null : value
}
