import type { FailpointName } from '../../../common/effects.ts'
import { simulatedFailpoints } from './simulation.ts'

export interface CrashPoint {
  readonly name: FailpointName
  readonly action: 'crash-before' | 'crash-after'
}

export const crashPoints: readonly CrashPoint[] = simulatedFailpoints.flatMap((name) => [
  { name, action: 'crash-before' },
  { name, action: 'crash-after' },
])

const perRun = 2

/** Shares all crash points out among the runs of a series, each more than once. */
export function crashesOf(run: number): CrashPoint[] {
  return Array.from({ length: perRun }, (_, index) => {
    const point = crashPoints[(run * perRun + index) % crashPoints.length]
    if (point === undefined) throw new Error('there are no crash points')
    return point
  })
}
