import { failures } from '../../domain/failures.ts'
import type { Usage } from '../../gateway/messages.ts'
import type { Outcome } from '../../store/attempts.ts'

/**
 * What a command costs of the processing quota: inputs and outputs on SUCCESS; on FAILED the inputs
 * if FFmpeg had started, and nothing if it had not or if the service is at fault. Without a report
 * nobody measured anything, so nothing is charged.
 */
export function processingBytes(outcome: Outcome, usage: Usage | null): number {
  if (usage === null) return 0
  if (outcome.status === 'SUCCESS') return usage.inputBytes + usage.outputBytes
  const ours = failures[outcome.errorStatus].fault === 'service'
  return usage.ffmpegStarted && !ours ? usage.inputBytes : 0
}
