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
  const code = 'code' in error ? String(error.code) : null
  const words = sentences.get(code ?? error.message)
  if (words !== undefined) return code === null ? words : `${words} (${code})`
  return error.message === '' ? (code ?? error.name) : error.message
}

/** By the code of the operating system, or by the words of fetch. */
const sentences: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'nothing listens there; is the service running, and is this its port?'],
  ['ENOTFOUND', 'there is no host of that name; is this the address of the service?'],
  ['EAI_AGAIN', 'its name could not be looked up; is there a network?'],
  ['ETIMEDOUT', 'the host did not answer; is this the address of the service?'],
  ['UND_ERR_CONNECT_TIMEOUT', 'the host did not answer; is this the address of the service?'],
  ['bad port', 'web clients open no connection to this port; give the service another'],
])
