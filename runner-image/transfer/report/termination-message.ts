import type { Result } from '../../../common/gateway/messages.ts'

/** Longest termination message that a kubelet keeps. */
export const longestMessageBytes = 4096
const longestErrorMessage = 1500

/**
 * The result as the container's termination message: the operator commits it if the gateway could
 * not be reached at the end. Logs are left out; a message that is still too long is left out whole,
 * because half a list of files would look like all of them.
 */
export function terminationMessage(result: Result): string | null {
  const { outcome } = result
  if (outcome.status === 'FAILED') {
    const errorMessage = outcome.errorMessage.slice(0, longestErrorMessage)
    return fitting({ ...result, outcome: { ...outcome, errorMessage } })
  }
  // Without the objects, the operator compares the sizes alone.
  const { status, files, warnings = [] } = outcome
  return (
    fitting(result) ??
    fitting({ ...result, outcome: { status, files, warnings } }) ??
    fitting({ ...result, outcome: { status, files } })
  )
}

function fitting(result: Result): string | null {
  const text = JSON.stringify({ ...result, logs: [] })
  return Buffer.byteLength(text) <= longestMessageBytes ? text : null
}
