import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Cluster } from '../../local-cluster/host/types.ts'

export interface PortForward {
  /** http://127.0.0.1:PORT */
  readonly url: string
  close(): Promise<void>
}

/**
 * Runs the command of NOTES: `kubectl port-forward service/NAME LOCAL:PORT`.
 * @param ports `8080:80`, or `:80` for any free port of this machine
 * @throws Error with what kubectl said
 */
export async function portForward(
  { kubectl, kubeconfig }: Cluster,
  { namespace, service, ports }: { namespace: string; service: string; ports: string },
): Promise<PortForward> {
  const child = spawn(
    kubectl,
    ['--kubeconfig', kubeconfig, '-n', namespace, 'port-forward', `service/${service}`, ports],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const gone = once(child, 'exit')
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => (errors += String(chunk)))
  for await (const line of createInterface({ input: child.stdout })) {
    const port = /^Forwarding from 127\.0\.0\.1:(\d+)/.exec(line)?.[1]
    if (port === undefined) continue
    // Each connection is a line, and a full pipe would block the forwarding.
    child.stdout.resume()
    return {
      url: `http://127.0.0.1:${port}`,
      async close() {
        child.kill()
        await gone
      },
    }
  }
  throw new Error(`kubectl port-forward service/${service} ${ports}: ${errors}`)
}
