import { failures } from './failures.ts'
import type { ErrorStatus } from './failures.ts'
import type { Usage } from '../gateway/messages.ts'

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
