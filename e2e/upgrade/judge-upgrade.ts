import type { UpgradeReport } from './upgrade-from.ts'

/** Seconds from submission to start of FFmpeg, over which a gap of admission would show. */
export const longestWait = 5

/** Faults of a release, a line each. */
export function judgeUpgrade(
  report: Omit<UpgradeReport, 'steps'>,
  longestWaitSeconds: number,
): readonly string[] {
  const { commands, refused, others, eventsMissing, eventsTwice, check } = report
  const waited = report.longestWaitSeconds
  const faults = [
    [commands === 0, 'no command was accepted'],
    [refused.length > 0, `${refused.length} submissions were refused`],
    [others.length > 0, `${others.length} commands did not end as SUCCESS at the first attempt`],
    [eventsMissing > 0, `${eventsMissing} events are missing`],
    [eventsTwice > 0, `${eventsTwice} events came twice`],
    [
      !(waited <= longestWaitSeconds),
      `a command waited ${waited} s for its start, longer than ${longestWaitSeconds} s: on a slow machine set --longest-wait`,
    ],
    [!check.passed, `'admin check' found a difference or failed: ${check.output}`],
  ] as const
  return faults.filter(([is]) => is).map(([, text]) => text)
}
