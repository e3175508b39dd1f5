export interface WaitingCommand {
  readonly commandId: string
  readonly vcpuCount: number
  readonly waitedSeconds: number
}

/**
 * Which of an account's waiting commands start now.
 *
 * Pure best effort would starve the large ones, strict order would waste the vCPUs that only a small
 * one fits; so a smaller command passes a larger one until the larger has waited `passSeconds`, and
 * from then on nothing passes it.
 *
 * What needs no vCPUs, the work on a stored file, waits for room for its Job alone: it takes nothing
 * that anybody else waits for.
 *
 * A command larger than the whole limit (the limit was lowered after it was accepted) runs alone:
 * it would otherwise wait for ever and hold up everything behind it.
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
