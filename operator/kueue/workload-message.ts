import { redact } from '../../common/runtime/redact.ts'
import { cut } from '../status/reason.ts'
import type { Workload } from './workloads.ts'

/** Characters; the status of a command shows as many of any message. */
const longestMessage = 290
/** Kueue allows 32 KiB, and names each flavor that it has tried. */
const longestRead = 4_096

/**
 * What the Workload of a suspended Job waits for, in one line; null if it does not say. An eviction is shown
 * until Kueue has looked for room again: that verdict is newer.
 */
export function workloadMessage({ conditions, admissionChecks }: Workload): string | null {
  const messageOf = (type: string, status: 'True' | 'False'): string | null =>
    conditions.find((condition) => condition.type === type && condition.status === status)
      ?.message ?? null
  const open = admissionChecks.find(({ state }) => state !== 'Ready')
  const checks =
    open === undefined
      ? null
      : `Admission check ${open.name} is ${open.state}: ${open.message ?? ''}`
  const candidates = [
    messageOf('QuotaReserved', 'False'),
    messageOf('Evicted', 'True'),
    checks,
    messageOf('Admitted', 'False'),
  ]
  return candidates.map(oneLine).find((text) => text !== '') ?? null
}

function oneLine(text: string | null): string {
  const read = redact((text ?? '').slice(0, longestRead))
  return cut(
    read
      .replaceAll(/[\s\p{Cc}]+/gu, ' ')
      .trim()
      .replace(/:$/, ''),
    longestMessage,
  )
}
