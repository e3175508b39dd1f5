/**
 * One HTTP exchange with the Kubernetes API server. Everything that reaches Kubernetes goes through
 * a function of this type, so a simulated API server needs no socket and every call shares one place
 * for deadlines, retries and metrics.
 */
export type KubeTransport = (request: KubeRequest) => Promise<KubeResponse>

export interface KubeRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Absolute path without query, e.g. `/apis/batch/v1/namespaces/media/jobs`. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** Type of the body; a merge patch is not JSON to the API server. */
  readonly contentType?:
    'application/json' | 'application/merge-patch+json' | 'application/strategic-merge-patch+json'
  /** The form of the answer, if it is not the whole object as JSON. */
  readonly accept?: string
  readonly signal: AbortSignal
}

export interface KubeResponse {
  readonly status: number
  /** Seconds of a Retry-After header. */
  readonly retryAfterSeconds: number | null
  /** The body as it arrives; a watch stays open. Network errors reject the iteration. */
  readonly body: AsyncIterable<Uint8Array>
}
