import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { bundleRunner } from '../../../runner-image/bundle.ts'
import type { Exited, RunLimits, RunLog } from '../../../runner-image/link/messages.ts'
import { patienceMs } from '../../support/until.ts'
import { clusterSettings } from '../../../local-cluster/host/settings.ts'
import { runnerRoot } from '../../../images/build-runner.ts'
import type { FFmpegBuild } from '../../../images/build-runner.ts'
import { startContainer } from './container.ts'
import type { Container } from './container.ts'
import { connectSupervisor } from './supervisor-client.ts'
import type { SupervisorClient } from './supervisor-client.ts'

export interface RunnerParts {
  /** The unpacked image without the runner's own programs. */
  readonly root: string
  /** Folder of `supervisor.mjs`. */
  readonly app: string
}

export interface MadeParts extends RunnerParts {
  /** Removes what was made for this caller alone; the image stays cached. */
  remove(): Promise<void>
}

/** Builds what tests of the supervisor run: minutes once, milliseconds afterwards. */
export async function runnerParts({ ffmpeg = 'debian' }: FFmpegBuild = {}): Promise<MadeParts> {
  const settings = clusterSettings(process.env)
  const say = (text: string): void => console.log(`      ${text}`)
  const root = await runnerRoot({ ffmpeg, settings, say })
  const app = await mkdtemp(path.join(tmpdir(), 'runner-app-'))
  await chmod(app, 0o755)
  await bundleRunner(app, { supervisor: 'ffmpeg/main.ts' })
  return { root, app, remove: () => rm(app, { recursive: true }) }
}

export interface Supervised {
  readonly container: Container
  readonly client: SupervisorClient
  /** Starts FFmpeg and waits for its end. */
  run(...command: RunArguments): Promise<Exited>
  /** Starts FFmpeg; answers the id of the run. */
  begin(...command: RunArguments): string
}

/** `outputs`: what will be probed after it; `log`: the file that gets its log. */
export type RunArguments = [
  argv: readonly string[],
  limits?: Partial<RunLimits>,
  outputs?: readonly string[],
  log?: RunLog | null,
]

export type RunningSupervisor = Supervised & AsyncDisposable

/** A supervisor that has said that it is ready; disposing of it ends everything that it started. */
export async function startSupervised(
  parts: RunnerParts,
  options: Partial<Parameters<typeof startContainer>[0]> = {},
): Promise<RunningSupervisor> {
  const container = await startContainer({ root: parts.root, app: parts.app, ...options })
  const client = await readyClient(container).catch(async (error: unknown) => {
    await container.remove()
    throw error
  })
  let runs = 0
  return { container, client, run, begin, [Symbol.asyncDispose]: dispose }

  function begin(...[argv, limits = {}, outputs = [], log = null]: RunArguments): string {
    runs += 1
    const id = `run-${String(runs)}`
    client.send({
      type: 'run',
      id,
      step: 0,
      argv: [...ours, ...argv],
      limits: { ...generous, ...limits },
      outputs,
      log,
    })
    return id
  }

  async function run(...command: RunArguments): Promise<Exited> {
    return client.next('exited', begin(...command))
  }

  async function dispose(): Promise<void> {
    client.close()
    await container.remove()
  }
}

async function readyClient(container: Container): Promise<SupervisorClient> {
  const client = await Promise.race([connectSupervisor(container.link), endedEarly(container)])
  await client.next('ready')
  return client
}

async function endedEarly(container: Container): Promise<never> {
  const { code, log } = await container.ended
  throw new Error(`the supervisor ended with ${String(code)} before it listened: ${log}`)
}

/** Options in front of every command; a later option of the same name wins. */
const ours = [
  '-hide_banner',
  '-nostdin',
  '-y',
  '-loglevel',
  'level+info',
  '-nostats',
  '-stats_period',
  '0.1',
  '-progress',
  'pipe:3',
]

const generous: RunLimits = {
  seconds: patienceMs / 1_000,
  fileBytes: null,
  scratchBytes: 4 * 1024 ** 3,
  fileCount: 10_000,
}
