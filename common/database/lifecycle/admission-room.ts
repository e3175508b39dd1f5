import type { AdmissionRequest } from '../../store/admission.ts'
import type { AdmissionRoom } from './choose-admitted.ts'

/** Admitted and not released: of one account, and of all accounts together. */
export interface RunningTotals {
  /** Work on a stored file holds none of the account's vCPUs. */
  readonly vcpus: number
  readonly jobs: number
  readonly fileJobs: number
  /** Work on a stored file counts as one. */
  readonly allVcpus: number
  readonly allJobs: number
  readonly allFileJobs: number
}

/** Room of the account beside its running commands. */
export function roomOf(request: AdmissionRequest, running: RunningTotals): AdmissionRoom {
  const left = (limit: number | null, used: number): number =>
    limit === null ? Infinity : Math.max(0, limit - used)
  return {
    vcpuInUse: running.vcpus,
    vcpuLimit: request.vcpuLimit,
    passSeconds: request.passSeconds,
    jobs: Math.min(
      left(request.jobLimit, running.jobs),
      left(request.liveJobLimit, running.allJobs),
    ),
    fileJobs: Math.min(
      left(request.fileJobLimit, running.fileJobs),
      left(request.liveFileJobLimit, running.allFileJobs),
    ),
    capacityVcpus: request.capacityVcpus ?? Infinity,
    freeVcpus: left(request.capacityVcpus, running.allVcpus),
  }
}
