import type { UsageBucket } from '../../common/openapi/openapi-types.ts'

/** Span and resolution of the charts. */
export interface Shown {
  readonly span: (typeof spans)[number]
  readonly by: 'hour' | 'day'
}

export const spans = ['24h', '7d', '30d', 'month'] as const

export const spanWords: Readonly<Record<Shown['span'], string>> = {
  '24h': '24 hours',
  '7d': '7 days',
  '30d': '30 days',
  month: 'This month',
}

const hourMs = 3_600_000
const hoursOf = { '24h': 24, '7d': 7 * 24, '30d': 30 * 24 } as const

/** Reads the address; what it does not say has a default. */
export function shownIn(query: URLSearchParams): Shown {
  const span = spans.find((one) => one === query.get('span')) ?? '7d'
  if (span === '24h') return { span, by: 'hour' }
  const by = query.get('by')
  return { span, by: by === 'hour' || by === 'day' ? by : span === '7d' ? 'hour' : 'day' }
}

/**
 * Whether no command ended before the last 24 hours: seven days of a new account would show one bar at their edge.
 */
export function isOfOneDay(
  buckets: readonly Pick<UsageBucket, 'start' | 'commands'>[],
  nowMs: number,
): boolean {
  return buckets
    .filter(({ start }) => Date.parse(start) < nowMs - hoursOf['24h'] * hourMs)
    .every(({ commands }) => Object.values(commands).every((ended) => ended === 0))
}

export function queryOf({ span, by }: Shown): URLSearchParams {
  return new URLSearchParams({ span, by })
}

/** Parameters of the call. A month is one of UTC, as the quota counts it. */
export function requestOf({ span, by }: Shown, nowMs: number) {
  const now = new Date(nowMs)
  const from =
    span === 'month'
      ? Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1)
      : nowMs - (hoursOf[span] - 1) * hourMs
  return { from: timestamp(from), to: timestamp(nowMs), bucket: by }
}

function timestamp(ms: number): string {
  return new Date(ms).toISOString()
}
