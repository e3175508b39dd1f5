/** The order of an account's own commands; it has no effect on other accounts. */
export const priorities = ['low', 'normal', 'high'] as const

export type Priority = (typeof priorities)[number]

/** Seconds: a `high` command passes the `normal` ones of the last ten minutes. */
export const defaultPriorityAgeSeconds = 600

const steps: Readonly<Record<Priority, number>> = { low: 1, normal: 0, high: -1 }

/**
 * How much later than its submission a command's place in the queue of its account is. Priority is a
 * shift of time and not a class, so a `low` command is passed only by commands that are submitted
 * within the next `2 * ageSeconds`, and never waits forever.
 * @returns seconds, negative for an earlier place; null where the place is the time of submission
 */
export function queueShiftSeconds(priority: Priority, ageSeconds: number): number | null {
  return steps[priority] === 0 ? null : steps[priority] * ageSeconds
}
