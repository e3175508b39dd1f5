import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import type { Plan } from '../common/domain/plans.ts'

/** The settings that the process requires. */
export function environmentWith(databaseUrl: string, plans: Readonly<Record<string, Plan>>) {
  return {
    CLOUD_FFMPEG_DATABASE_URL: databaseUrl,
    CLOUD_FFMPEG_NAMESPACE: 'media',
    CLOUD_FFMPEG_PLANS: JSON.stringify(plans),
    CLOUD_FFMPEG_STORAGE_PUBLIC_BASE_URL: 'https://files.example/media',
    CLOUD_FFMPEG_STORAGE_ENDPOINT: 'https://s3.example',
    CLOUD_FFMPEG_STORAGE_BUCKET: 'media',
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
