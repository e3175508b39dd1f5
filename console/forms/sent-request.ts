/** A submission as a program sends it. */
export interface SentRequest {
  /** Base address of the service, without a slash at its end. */
  readonly url: string
  /** Path of the call. */
  readonly path: string
  /** Fields that are given, as JSON. */
  readonly body: Readonly<Record<string, unknown>>
}
