import type { WaitingCommand } from '../../store/admission.ts'

/** Usage and limits that decide which commands an account may still start. */
export interface AdmissionRoom {
  readonly vcpuInUse: number
  /** null = none */
  readonly vcpuLimit: number | null
  /** Jobs of commands and of stored files that may still start. */
  readonly jobs: number
  readonly fileJobs: number
  /** vCPUs of the cluster; Infinity = unknown. */
  readonly capacityVcpus: number
  /** Those that no account uses. */
  readonly freeVcpus: number
  readonly passSeconds: number
}

/**
 * Which of an account's waiting commands start now.
 *
 * Pure best effort would starve large commands, and strict FIFO would waste vCPUs into which only a
 * small command fits; so a smaller command passes a larger one until the larger has waited
 * `passSeconds`, and from then on no command passes it.
 *
 * The work on a stored file needs no vCPUs of the account, so it waits only for a slot for its Job and
 * for one free vCPU of the cluster, and delays no command.
 *
 * A command larger than the whole limit of its account (the limit was lowered after it was accepted) or
 * than the whole cluster runs alone: otherwise it would never start and would block all commands
 * behind it.
 * @param waiting oldest first
 */
export function chooseAdmitted(
  waiting: readonly Omit<WaitingCommand, 'queuedSeconds'>[],
  room: AdmissionRoom,
): string[] {
  const chosen: string[] = []
  const left = { jobs: room.jobs, fileJobs: room.fileJobs, vcpus: room.freeVcpus }
  let inUse = room.vcpuInUse
  let passing = true
  for (const command of waiting) {
    if (command.vcpuCount === 0) {
      if (left.fileJobs < 1 || left.vcpus < 1) continue
      chosen.push(command.commandId)
      left.fileJobs -= 1
      left.vcpus -= 1
      continue
    }
    if (!passing || left.jobs < 1) continue
    const isAllowed = room.vcpuLimit === null || inUse + command.vcpuCount <= room.vcpuLimit
    const demand = Math.min(command.vcpuCount, room.capacityVcpus)
    if ((isAllowed || inUse === 0) && demand <= left.vcpus) {
      chosen.push(command.commandId)
      inUse += command.vcpuCount
      left.jobs -= 1
      left.vcpus -= demand
    } else if (command.waitedSeconds >= room.passSeconds) {
      passing = false
    }
  }
  return chosen
}
