import type { Result } from '../../../common/gateway/messages.ts'

/** What a kubelet keeps of a termination message. */
export const longestMessageBytes = 4096
const longestErrorMessage = 1500

/**
 * The result as the container's termination message: the operator commits it if the gateway could
 * not be reached at the end. Logs are left out; a message that is still too long is left out whole,
 * because half a list of files would look like all of them.
 */
export function terminationMessage(result: Result): string | null {
  const { outcome } = result
  const text = JSON.stringify({
    ...result,
    logs: [],
    outcome:
      outcome.status === 'FAILED'
        ? { ...outcome, errorMessage: outcome.errorMessage.slice(0, longestErrorMessage) }
        : outcome,
  })
  return Buffer.byteLength(text) <= longestMessageBytes ? text : null
}
