import { runnerSettings } from '../../testing/support/operator/settings.ts'
import type { ControllerSettings } from './controller-deps.ts'
import { account, namespace } from './world-parts.fixture.ts'
import type { WorldOptions } from './world-parts.fixture.ts'

export function controllerSettings({
  liveJobs,
  startingPods,
  runner,
  accounts,
}: Required<Omit<WorldOptions, 'latencyMs'>>): ControllerSettings {
  return {
    runner: runnerSettings({ namespace, ...runner }),
    publicBaseUrl: 'https://cdn.example',
    jobTtlSeconds: 60,
    failedJobTtlSeconds: 120,
    imports: {
      accounts: {
        defaultAccount: account.name,
        allowed: ['default'],
        bindings: new Map(),
        ...accounts,
      },
      storageBases: ['https://cdn.example'],
    },
    admission: {
      liveJobs,
      liveFileJobs: 32,
      capacityVcpus: null,
      learnsCapacity: true,
      reservedShare: 0.1,
      reserveSeconds: 1_800,
      passSeconds: 300,
      startingPods,
      unplacedPods: 2,
    },
    finished: { olderThanSeconds: 60, keepNewest: 0, keepSeconds: 3600 },
    resultObjects: true,
    sweepObjectsAfterSeconds: 60,
  }
}
