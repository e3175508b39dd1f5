import { hasCode } from '../../../common/runtime/error-code.ts'
import { Failure } from '../../../common/domain/failures.ts'
import { connectionFault } from '../../../common/network/connection-fault.ts'
import { HeadersTimeout } from './open-url.ts'

/**
 * Transient: the same request can succeed on a retry. The message continues a sentence about the
 * URL.
 */
export class TransientFetchError extends Error {
  readonly retryAfterMs: number | null

  constructor(message: string, retryAfterMs: number | null, options?: ErrorOptions) {
    super(message, options)
    this.name = 'TransientFetchError'
    this.retryAfterMs = retryAfterMs
  }
}

/** The server has another version of the file than that of which bytes are in place. */
export class SourceChanged extends Error {
  override readonly name = 'SourceChanged'
}

/**
 * Meaning of an error of a connection for the input. Addresses and system codes stay in `cause`.
 * @returns a Failure if a retry is of no use; the error itself if it is not one of these
 */
export function fetchError(error: unknown): unknown {
  if (error instanceof TransientFetchError || error instanceof Failure) return error
  const cause = { cause: error }
  if (error instanceof HeadersTimeout) {
    return new TransientFetchError('did not answer in time', null, cause)
  }
  if (isDiskFull(error)) {
    return new Failure('INPUT_TOO_LARGE', 'the working disk is full', cause)
  }
  const fault = connectionFault(error)
  if (fault === null) return error
  return fault.transient
    ? new TransientFetchError(fault.sentence, null, cause)
    : new Failure('UNREACHABLE_INPUT_FILE', fault.sentence, cause)
}

function isDiskFull(error: unknown): boolean {
  return hasCode(error, 'ENOSPC', 'EDQUOT')
}
