import { execFileSync, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { bundleRunner } from '../../../runner-image/bundle.ts'
import { runnerId, startContainer } from '../../ffmpeg/runner/container.ts'
import { runnerParts } from '../../ffmpeg/runner/test-runner.ts'
import { createCap } from '../bodies/cap.ts'
import { startCappedSink } from '../bodies/capped-sink.ts'
import type { CappedSink } from '../bodies/capped-sink.ts'
import type { FromGateway, ToGateway } from './gateway-messages.ts'

/** Attempts of the runner's two processes and their gateway, as in a cluster but without Kubernetes, operator and API server. */
export interface AttemptRig {
  readonly sink: CappedSink
  /** Runs FFmpeg as users do, with the options of a command, into a new folder. */
  bare(options: readonly string[], output: string): Promise<void>
  /** Admits a command. The attempt that it returns is not started yet. */
  prepare(command: Pick<ToGateway, 'command' | 'outputs'>): Promise<() => Promise<void>>
  close(): Promise<void>
}

/** @param megabytesPerSecond of the line to the storage */
export async function startAttemptRig(megabytesPerSecond: number): Promise<AttemptRig> {
  const parts = await runnerParts()
  await bundleRunner(parts.app)
  const gateway = fork(new URL('gateway-process.ts', import.meta.url))
  const { s3 } = await answer()
  const cap = createCap()
  cap.change(megabytesPerSecond)
  const sink = await startCappedSink({ address: '127.0.0.1', behind: s3, cap })
  tell({ endpoint: sink.endpoint })
  const { url } = await answer()

  return {
    sink,
    bare: (options, output) => bareFfmpeg(parts.root, options, output),
    async prepare(command) {
      tell(command)
      const { token } = await answer()
      const container = await startContainer({ root: parts.root, app: parts.app })
      const tokenFile = path.join(container.job, 'token')
      await writeFile(tokenFile, token)
      // The folder of the container is made for its owner alone, and the runner is another user.
      await chmod(path.dirname(container.job), 0o755)
      return async () => {
        try {
          await runTransfer([
            path.join(parts.app, 'transfer.mjs'),
            '--gateway',
            url,
            '--token-file',
            tokenFile,
            '--work',
            path.join(container.job, 'work'),
            '--socket',
            path.join(container.link, 'ffmpeg.sock'),
            '--termination-message',
            path.join(container.job, 'tmp/message'),
          ])
        } finally {
          await container.remove()
        }
      }
    },
    async close() {
      gateway.kill()
      await sink.close()
      await parts.remove()
    },
  }

  function tell(message: Partial<ToGateway>): void {
    gateway.send(message)
  }

  async function answer(): Promise<FromGateway> {
    const [message] = (await once(gateway, 'message')) as [FromGateway]
    return message
  }
}

async function runTransfer(args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    uid: runnerId,
    gid: runnerId,
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`transfer ended with ${code}`)
}

async function bareFfmpeg(root: string, options: readonly string[], output: string): Promise<void> {
  const folder = execFileSync('mktemp', ['-d', path.join(root, 'tmp/bench-XXXXXX')], {
    encoding: 'utf8',
  }).trim()
  const target = `${folder.slice(root.length)}/${output}`
  const quiet = ['-y', '-nostdin', '-hide_banner', '-v', 'error']
  const args = [root, '/usr/bin/ffmpeg', ...quiet, ...options, '-threads', '2', target]
  const child = spawn('chroot', args, { stdio: ['ignore', 'ignore', 'inherit'] })
  const [code] = (await once(child, 'exit')) as [number | null]
  execFileSync('rm', ['-r', folder])
  if (code !== 0) throw new Error(`FFmpeg ended with ${code}`)
}
