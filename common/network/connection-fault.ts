import { ConnectTimeout } from './guarded-agents.ts'
import { RefusedAddress } from './guard.ts'
import { notPublic } from './url-policy.ts'

/** What ended a connection to a stranger's URL, without addresses and system codes. */
export interface ConnectionFault {
  /** The end of a sentence about the URL. */
  readonly sentence: string
  /** Trying again in a moment may help. */
  readonly transient: boolean
}

/** @returns null where the error is none of a connection */
export function connectionFault(error: unknown): ConnectionFault | null {
  if (error instanceof RefusedAddress) return { sentence: notPublic, transient: false }
  if (error instanceof ConnectTimeout)
    return { sentence: 'did not answer in time', transient: true }
  const code = codeOf(error)
  if (code === null) return null
  const final = finalCodes.get(code) ?? (isCertificateCode(code) ? untrusted : undefined)
  if (final !== undefined) return { sentence: final, transient: false }
  const again = transientCodes.get(code) ?? (code.startsWith('HPE_') ? brokenHttp : undefined)
  return again === undefined ? null : { sentence: again, transient: true }
}

const untrusted = 'has no valid TLS certificate'
const brokenHttp = 'answered with broken HTTP'

const finalCodes: ReadonlyMap<string, string> = new Map([
  ['ENOTFOUND', 'has a host name that does not exist'],
  ['ENODATA', 'has a host name without an address'],
  ['EPROTO', 'refused the TLS handshake'],
])

const transientCodes: ReadonlyMap<string, string> = new Map([
  ['EAI_AGAIN', 'has a host name that could not be resolved'],
  ['ECONNREFUSED', 'refused the connection'],
  ['ECONNRESET', 'closed the connection'],
  ['ECONNABORTED', 'closed the connection'],
  ['EPIPE', 'closed the connection'],
  ['ETIMEDOUT', 'did not answer in time'],
  ['EHOSTUNREACH', 'cannot be reached'],
  ['ENETUNREACH', 'cannot be reached'],
  ['EADDRNOTAVAIL', 'cannot be reached'],
])

function isCertificateCode(code: string): boolean {
  return /^(CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH)/.test(
    code,
  )
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : null
}
