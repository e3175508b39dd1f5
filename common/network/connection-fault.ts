import { codeOf } from '../runtime/error-code.ts'
import { ConnectTimeout, NotConnected } from './guarded-agents.ts'
import { RefusedAddress } from './guard.ts'
import { notPublic } from './url-policy.ts'

/** Why a connection to a customer's URL ended, without addresses and system codes. */
export interface ConnectionFault {
  /** The end of a sentence about the URL. */
  readonly sentence: string
  /** Trying again in a moment may help. */
  readonly transient: boolean
}

/** @returns null if the error is not one of a connection */
export function connectionFault(error: unknown): ConnectionFault | null {
  if (error instanceof RefusedAddress) return { sentence: notPublic, transient: false }
  if (error instanceof ConnectTimeout)
    return { sentence: 'did not answer in time', transient: true }
  const code = codeOf(error)
  if (code === null) return null
  const known = faultByCode(code)
  if (known !== null || !(error instanceof NotConnected)) return known
  if (ourCodes.has(code)) return null
  if (error.isLookup) return code === 'EINVAL' ? final(noSuchName) : again(unresolved)
  return again(unreachable)
}

function faultByCode(code: string): ConnectionFault | null {
  const verdict = finalCodes.get(code) ?? tlsSentence(code)
  if (verdict !== null) return final(verdict)
  const transient = transientCodes.get(code) ?? (code.startsWith('HPE_') ? brokenHttp : undefined)
  return transient === undefined ? null : again(transient)
}

function final(sentence: string): ConnectionFault {
  return { sentence, transient: false }
}

function again(sentence: string): ConnectionFault {
  return { sentence, transient: true }
}

const untrusted = 'has no valid TLS certificate'
const failedHandshake = 'failed the TLS handshake'
const notTls = 'does not speak TLS: the server is not an https server'
const brokenHttp = 'answered with broken HTTP'
const noSuchName = 'has a host name that does not exist'
const unresolved = 'has a host name that could not be resolved'
const unreachable = 'cannot be reached'

const finalCodes: ReadonlyMap<string, string> = new Map([
  ['ENOTFOUND', noSuchName],
  ['EBADNAME', noSuchName],
  ['ENODATA', 'has a host name without an address'],
  ['EPROTO', 'refused the TLS handshake'],
  // OpenSSL takes the letters of an answer for these: a version, or the length of a record.
  ['ERR_SSL_WRONG_VERSION_NUMBER', notTls],
  ['ERR_SSL_PACKET_LENGTH_TOO_LONG', notTls],
  ['ERR_SSL_HTTP_REQUEST', notTls],
])

const transientCodes: ReadonlyMap<string, string> = new Map([
  ['EAI_AGAIN', unresolved],
  ['EAI_FAIL', unresolved],
  ['ECONNREFUSED', 'refused the connection'],
  ['ECONNRESET', 'closed the connection'],
  ['ECONNABORTED', 'closed the connection'],
  ['EPIPE', 'closed the connection'],
  ['ETIMEDOUT', 'did not answer in time'],
  ['EHOSTUNREACH', unreachable],
  ['ENETUNREACH', unreachable],
  ['EADDRNOTAVAIL', unreachable],
  ['EAFNOSUPPORT', unreachable],
])

/**
 * No sockets or memory left in this process: the message must not send the customer to their own
 * server.
 */
const ourCodes: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM'])

/** The codes are those that Node.js has for results of OpenSSL; UNSPECIFIED stands for half of them. */
function tlsSentence(code: string): string | null {
  if (certificateCode.test(code)) return untrusted
  return /^ERR_(?:SSL|TLS|OSSL)_/.test(code) ? failedHandshake : null
}

const certificateCode =
  /^(?:CERT_|CRL_|ERR_TLS_CERT_|ERROR_IN_C|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH$|INVALID_(?:CA|PURPOSE)$|PATH_LENGTH_EXCEEDED$|UNSPECIFIED$)/
