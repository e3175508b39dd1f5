import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { configFile, serverConfig } from '../testing/support/api/config-file.ts'
import type { Plan } from '../common/domain/plans.ts'

/** Settings for any free ports, and a stop at once. */
export const freePorts = { apiServer: { port: 0, drainSeconds: 0 }, metrics: { port: 0 } }

/** The environment that the process requires; `config` has further sections of its settings. */
export function environmentWith(
  databaseUrl: string,
  plans: Readonly<Record<string, Plan>>,
  config: object = {},
) {
  return {
    CLOUD_FFMPEG_CONFIG: configFile({ ...serverConfig(plans), ...config }),
    CLOUD_FFMPEG_DATABASE_URL: databaseUrl,
    CLOUD_FFMPEG_STORAGE_ACCESS_KEY_ID: 'id',
    CLOUD_FFMPEG_STORAGE_SECRET_ACCESS_KEY: 'secret',
  }
}

const running = new Set<ChildProcess>()

const repository = path.join(import.meta.dirname, '..')

/** `main.ts` in a process with this environment alone; `root`: folder of the sources. */
export function startMain(
  environment: Record<string, string>,
  more: string[] = [],
  root = repository,
) {
  const main = path.join(root, 'api-server/main.ts')
  const child = spawn(process.execPath, [main, ...more], { env: environment })
  running.add(child)
  child.once('close', () => running.delete(child))
  let output = ''
  let errors = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  const ended = once(child, 'close').then(([code]: unknown[]) => ({ code, output, errors }))
  return { child, ended }
}

/** Ends what a failed test has left running: a live child keeps the process of the tests alive, too. */
export function endMains(): void {
  for (const child of running) child.kill('SIGKILL')
}
