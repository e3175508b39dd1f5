import type { Plan } from '../../common/domain/plans.ts'

/** A plan on which everything is allowed and little is limited, changed by what a test is about. */
export function planWith(changes: Partial<Plan> = {}): Plan {
  return {
    processingMbytes: null,
    storageMbytes: null,
    vcpuPerCommand: 4,
    vcpuTotal: 4,
    weight: 1,
    maxJobs: null,
    fileJobs: null,
    maxRunSeconds: 60,
    submissionsPerMinute: null,
    readsPerMinute: null,
    maxQueued: null,
    maxQueuedFiles: null,
    streams: null,
    maxFileMbytes: null,
    scratchMbytes: null,
    chained: true,
    uploads: true,
    private: true,
    webhooks: true,
    warm: true,
    profile: null,
    retention: { recordsDays: null, originalsDays: null, logsDays: null, filesDays: null },
    ...changes,
  }
}
