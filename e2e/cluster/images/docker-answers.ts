import { succeeds } from '../run-command.ts'

/** Whether there is a Docker server, not just its command. */
export async function dockerAnswers(): Promise<boolean> {
  return succeeds('docker', ['version', '--format', '{{.Server.Version}}'], { timeoutMs: 10_000 })
}
