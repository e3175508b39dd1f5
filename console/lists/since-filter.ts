/** Spans of time that lists are filtered by, with their words. */
export const sinceFilters = {
  any: 'Any time',
  hour: 'Last hour',
  day: 'Last 24 h',
  week: 'Last 7 days',
  month: 'Last 30 days',
} as const
export type SinceFilter = keyof typeof sinceFilters

const hours = { hour: 1, day: 24, week: 168, month: 720 } as const

/** The beginning of the span as a parameter of a list; none for any time. @param now in Unix milliseconds */
export function createdSince(since: SinceFilter, now: number): { readonly created_after?: string } {
  if (since === 'any') return {}
  return { created_after: new Date(now - hours[since] * 3_600_000).toISOString() }
}
