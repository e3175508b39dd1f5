import type { Agent, OutgoingHttpHeaders } from 'node:http'

/** Address of the Kubernetes API, and how a process authenticates to it. */
export interface KubeAccess {
  /** URL, with a path if the API lies below one. */
  readonly server: string
  /** Files whose change makes the credentials stale. */
  readonly files: readonly string[]
  /** Reads the credentials. */
  authenticate(): Promise<Credentials>
}

export interface Credentials {
  readonly headers: OutgoingHttpHeaders
  /** Connections with the certificates of the credentials. */
  readonly agent: Agent
}
