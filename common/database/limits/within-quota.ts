import { bytesPerMbyte } from '../../domain/plans.ts'
import { figure, quotaProblem } from '../../domain/quota.ts'
import type { QuotaUse } from '../../domain/quota.ts'
import type { AdmissionRequest } from '../../store/admission.ts'

/** Facts about a command, beside its vCPUs, that decide over its admission. */
export interface ReservingCommand {
  readonly commandId: string
  /** 0 = work on a stored file, which reserves nothing. */
  readonly vcpuCount: number
  readonly reservedBytes: number
  readonly reservedOutputBytes: number
}

/** Use of an account; reserved is what its admitted commands reserve that have not ended. */
export interface AdmittedUse extends QuotaUse {
  /** Admitted commands that have not ended. */
  readonly live: number
}

export interface QuotaChoice {
  readonly started: readonly string[]
  /** Why they end as QUOTA_EXCEEDED; null if there is none. */
  readonly problem: string | null
  readonly ended: readonly string[]
  /** Quota that the first waiting command needs; null if none waits. */
  readonly wait: string | null
}

type Limits = NonNullable<AdmissionRequest['quota']>

/**
 * Which of the commands that fit all other limits start within the quotas. Where a quota is used up they
 * end; where only reservations fill it, they wait for the ends of admitted commands, in their order.
 * Without an admitted command the first one starts: it would wait until the month is over otherwise.
 * @param chosen in the order of the account's queue
 */
export function withinQuota(
  chosen: readonly ReservingCommand[],
  use: AdmittedUse,
  limits: Limits,
): QuotaChoice {
  const files = chosen.filter(({ vcpuCount }) => vcpuCount === 0)
  const commands = chosen.filter(({ vcpuCount }) => vcpuCount > 0)
  const used = { ...use, reservedBytes: 0, reservedOutputBytes: 0 }
  const problem = commands.length === 0 ? null : quotaProblem(used, limits)
  const started = new Set(files.map(idOf))
  if (problem !== null) {
    return { started: inOrder(chosen, started), problem, ended: commands.map(idOf), wait: null }
  }
  let { reservedBytes, reservedOutputBytes, live } = use
  for (const command of commands) {
    reservedBytes += command.reservedBytes
    reservedOutputBytes += command.reservedOutputBytes
    const lack =
      lackOf('processing', use.processingBytes, reservedBytes, limits.processingMbytes) ??
      lackOf('storage', use.storedBytes, reservedOutputBytes, limits.storageMbytes)
    if (lack !== null && live > 0) {
      return { started: inOrder(chosen, started), problem: null, ended: [], wait: lack }
    }
    started.add(command.commandId)
    live += 1
  }
  return { started: inOrder(chosen, started), problem: null, ended: [], wait: null }
}

function lackOf(
  name: 'processing' | 'storage',
  usedBytes: number,
  reservedBytes: number,
  limitMbytes: number | null,
): string | null {
  if (limitMbytes === null || usedBytes + reservedBytes <= limitMbytes * bytesPerMbyte) return null
  const [used, reserved] = [figure(usedBytes), figure(reservedBytes)]
  return `Waits for the ${name} quota: ${used} of ${limitMbytes} MB used, ${reserved} MB reserved by this command and those that run`
}

function inOrder(
  chosen: readonly ReservingCommand[],
  started: ReadonlySet<string>,
): readonly string[] {
  return chosen.map(idOf).filter((id) => started.has(id))
}

function idOf({ commandId }: ReservingCommand): string {
  return commandId
}
