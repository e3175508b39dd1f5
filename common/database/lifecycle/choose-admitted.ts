export interface WaitingCommand {
  readonly commandId: string
  readonly vcpuCount: number
  readonly waitedSeconds: number
}

/**
 * Which of an account's waiting commands start now.
 *
 * Pure best effort would starve large commands, and strict FIFO would waste vCPUs into which only a
 * small command fits; so a smaller command passes a larger one until the larger has waited
 * `passSeconds`, and from then on no command passes it.
 *
 * The work on a stored file needs no vCPUs, so it waits only for a slot for its Job and delays no
 * command.
 *
 * A command larger than the whole limit (the limit was lowered after it was accepted) runs alone:
 * otherwise it would never start and would block all commands behind it.
 * @param waiting oldest first
 * @param vcpuLimit null = none
 */
export function chooseAdmitted(
  waiting: readonly WaitingCommand[],
  room: { vcpuInUse: number; vcpuLimit: number | null; jobs: number; passSeconds: number },
): string[] {
  const chosen: string[] = []
  let inUse = room.vcpuInUse
  let passing = true
  for (const command of waiting) {
    if (chosen.length >= room.jobs) break
    if (command.vcpuCount === 0) {
      chosen.push(command.commandId)
      continue
    }
    if (!passing) continue
    const fits = room.vcpuLimit === null || inUse + command.vcpuCount <= room.vcpuLimit
    if (fits || inUse === 0) {
      chosen.push(command.commandId)
      inUse += command.vcpuCount
    } else if (command.waitedSeconds >= room.passSeconds) {
      passing = false
    }
  }
  return chosen
}
