import { Failure } from '../../../common/failures.ts'
import { ConnectTimeout } from './guarded-agents.ts'
import { RefusedAddress } from './guard.ts'
import { HeadersTimeout } from './open-url.ts'
import { notPublic } from './url-policy.ts'

/** The same request can succeed in a moment. The message continues a sentence about the URL. */
export class TransientFetchError extends Error {
  readonly retryAfterMs: number | null

  constructor(message: string, retryAfterMs: number | null, options?: ErrorOptions) {
    super(message, options)
    this.name = 'TransientFetchError'
    this.retryAfterMs = retryAfterMs
  }
}

/**
 * What an error of a connection means for the input. Addresses and system codes stay in `cause`.
 * @returns a Failure where trying again is of no use; the error itself where it is none of these
 */
export function fetchError(error: unknown): unknown {
  if (error instanceof TransientFetchError || error instanceof Failure) return error
  const cause = { cause: error }
  if (error instanceof RefusedAddress)
    return new Failure('UNREACHABLE_INPUT_FILE', notPublic, cause)
  if (error instanceof ConnectTimeout || error instanceof HeadersTimeout) {
    return new TransientFetchError('did not answer in time', null, cause)
  }
  const code = codeOf(error)
  if (code === null) return error
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new Failure('INPUT_TOO_LARGE', 'the working disk is full', cause)
  }
  const final = finalCodes.get(code) ?? (isCertificateCode(code) ? untrusted : undefined)
  if (final !== undefined) return new Failure('UNREACHABLE_INPUT_FILE', final, cause)
  const again = transientCodes.get(code) ?? (code.startsWith('HPE_') ? brokenHttp : undefined)
  return again === undefined ? error : new TransientFetchError(again, null, cause)
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
