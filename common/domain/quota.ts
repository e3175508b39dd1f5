import { bytesPerMbyte } from './plans.ts'
import type { Plan } from './plans.ts'
import { failures } from './failures.ts'
import type { ErrorStatus } from './failures.ts'
import type { Usage } from '../gateway/messages.ts'

/** Bytes that an account has used, and those that its commands without an end reserve. */
export interface QuotaUse {
  readonly processingBytes: number
  readonly storedBytes: number
  readonly reservedBytes: number
  readonly reservedOutputBytes: number
}

type QuotaLimits = Pick<Plan, 'processingMbytes' | 'storageMbytes'>

const leastReservedBytes = 16 * bytesPerMbyte
/** A command may need more than the mean. */
const reservedMeans = 1.5

/**
 * The largest reservation of a command in bytes: that of its largest file. null = the plan has no
 * quota, so nothing is reserved.
 */
export function mostReservedBytes(plan: QuotaLimits & Pick<Plan, 'maxFileMbytes'>): number | null {
  if (plan.processingMbytes === null && plan.storageMbytes === null) return null
  const { maxFileMbytes } = plan
  return maxFileMbytes === null
    ? Number.MAX_SAFE_INTEGER
    : Math.floor(maxFileMbytes * bytesPerMbyte)
}

/** @param meanBytes of the account's commands that have ended; null = none has */
export function reservationOf(meanBytes: number | null, mostBytes: number | null): number {
  if (mostBytes === null) return 0
  const wanted = Math.max(leastReservedBytes, reservedMeans * (meanBytes ?? 0))
  return Math.round(Math.min(wanted, mostBytes))
}

/** `reservationOf` as an SQL expression. */
export function reservationSql(mean: string, most: string): string {
  return `case when ${most} is null then 0 else round(least(
    greatest(${leastReservedBytes}, ${reservedMeans} * coalesce(${mean}, 0)), ${most}
  ))::bigint end`
}

/**
 * Why an account may submit nothing more.
 * @param addBytes what an upload will store
 */
export function quotaProblem(use: QuotaUse, limits: QuotaLimits, addBytes = 0): string | null {
  return processingProblem(use, limits) ?? storageProblem(use, limits, addBytes)
}

function processingProblem(
  { processingBytes: used, reservedBytes: reserved }: QuotaUse,
  { processingMbytes: limit }: QuotaLimits,
): string | null {
  if (limit === null || used + reserved < limit * bytesPerMbyte) return null
  return `Processing quota exceeded: ${figure(used)} of ${limit} MB used this month${alsoReserved(reserved)}`
}

function storageProblem(
  { storedBytes: used, reservedOutputBytes: reserved }: QuotaUse,
  { storageMbytes: limit }: QuotaLimits,
  addBytes: number,
): string | null {
  if (limit === null) return null
  const problem = `Storage quota exceeded: ${figure(used)} of ${limit} MB used${alsoReserved(reserved)}`
  if (used + reserved >= limit * bytesPerMbyte) return problem
  if (used + reserved + addBytes <= limit * bytesPerMbyte) return null
  return `${problem}, the upload needs ${figure(addBytes)} MB`
}

function alsoReserved(bytes: number): string {
  return bytes === 0 ? '' : `, ${figure(bytes)} MB reserved by commands that have not ended`
}

/** MB with one decimal, without a trailing `.0`. */
export function figure(bytes: number): string {
  return String(Math.round((bytes / bytesPerMbyte) * 10) / 10)
}

type Ending =
  { readonly status: 'SUCCESS' } | { readonly status: 'FAILED'; readonly errorStatus: ErrorStatus }

/**
 * Bytes charged to the processing quota: inputs and outputs on SUCCESS; on FAILED the inputs if
 * FFmpeg had started, and nothing if it had not or if the service is at fault. Without a report
 * there are no measured figures, so nothing is charged.
 */
export function processingBytes(outcome: Ending, usage: Usage | null): number {
  if (usage === null) return 0
  if (outcome.status === 'SUCCESS') return usage.inputBytes + usage.outputBytes
  const ours = failures[outcome.errorStatus].fault === 'service'
  return usage.ffmpegStarted && !ours ? usage.inputBytes : 0
}
