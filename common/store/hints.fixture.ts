import type { WorkHints } from './hints.ts'

/** Hints of a process that cannot listen: polls alone find the work. */
export const noHints: WorkHints = {
  subscribe: () => () => undefined,
  shortestMs: () => 0,
  longestMs: () => 1_000,
}
