import type { Registry } from 'prom-client'
import { counter, gauge } from '../../common/runtime/metrics.ts'
import type { AccountInPass } from '../../common/store/admission.ts'

export interface PassMetrics {
  admitted(commands: number): void
  /** Called once per pass of admission, with what it has read. */
  admissionPass(
    accounts: readonly Pick<AccountInPass, 'waiting' | 'running'>[],
    of: PassFigures,
  ): void
}

interface PassFigures {
  /** null = unknown or without limit. */
  readonly capacityVcpus: number | null
  readonly spreadSeconds: number
}

export function createPassMetrics(registry: Registry): PassMetrics {
  const admissions = counter(registry, 'admissions_total', 'Commands that were admitted.')
  const capacity = gauge(
    registry,
    'capacity_vcpus',
    'vCPUs of the cluster for commands; NaN while they are unknown or without limit.',
  )
  const jobs = gauge(registry, 'live_jobs', 'Admitted and not released, by lane.', ['lane'])
  const waiting = gauge(registry, 'accounts_waiting', 'Accounts with commands that wait.')
  const spread = gauge(
    registry,
    'fair_spread_seconds',
    'Greatest minus least attained service by weight of the accounts that wait for others.',
  )
  return {
    admitted: (commands) => admissions.inc(commands),
    admissionPass(accounts, { capacityVcpus, spreadSeconds }) {
      const all = accounts.flatMap((account) => account.running)
      const files = all.filter(({ vcpuCount }) => vcpuCount === 0).length
      capacity.set(capacityVcpus ?? NaN)
      jobs.set({ lane: 'command' }, all.length - files)
      jobs.set({ lane: 'file' }, files)
      waiting.set(accounts.filter((account) => account.waiting.length > 0).length)
      spread.set(spreadSeconds)
    },
  }
}
