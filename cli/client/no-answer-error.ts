/** The service could not be reached, or the connection broke before its answer was whole. */
export class NoAnswerError extends Error {
  constructor(url: string, cause: unknown) {
    super(`no answer from ${new URL(url).origin}: ${reason(cause)}`, { cause })
    this.name = 'NoAnswerError'
  }
}

/** fetch says "fetch failed" and hides why in the cause, which for several addresses has no message. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause !== undefined) return reason(error.cause)
  if (error.message !== '') return error.message
  return 'code' in error ? String(error.code) : error.name
}
