/** The object store refused the part. */
export class PartRefused extends Error {
  readonly status: number

  /** @param answer of the object store, in XML */
  constructor(status: number, answer: string) {
    const code = /<Code>([^<]+)<\/Code>/.exec(answer)?.[1]
    super(`storage answered ${status}${code === undefined ? '' : ` ${code}`} to a part`)
    this.name = 'PartRefused'
    this.status = status
  }
}

/** No part can be sent from here, so retries are of no use. */
export class UploadBlocked extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UploadBlocked'
  }
}

/** Whether a later attempt to send the part may succeed. */
export function isTransient(error: unknown): boolean {
  if (error instanceof UploadBlocked) return false
  if (!(error instanceof PartRefused)) return true
  return [408, 429].includes(error.status) || error.status >= 500
}
