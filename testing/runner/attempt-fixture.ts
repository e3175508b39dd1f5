import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ZipFile } from 'yazl'
import type { Effects, FailpointName } from '../../common/runtime/effects.ts'
import { directly } from '../../common/runtime/failpoint.ts'
import type { Assignment, OutputFile } from '../../common/gateway/messages.ts'
import { systemEffects } from '../../common/runtime/system-effects.ts'
import { awaitCommand } from '../../runner-image/transfer/await-command.ts'
import { createGateway } from '../../runner-image/transfer/gateway/gateway.ts'
import { gatewayRequests } from '../../runner-image/transfer/gateway/request.ts'
import { runCommand } from '../../runner-image/transfer/run-command.ts'
import { startGateway } from './gateway-server.ts'
import type { GatewayScript, TestGateway } from './gateway-server.ts'
import { startSupervisor } from './scripted-supervisor.ts'
import type { ScriptedSupervisor, SupervisorScript } from './scripted-supervisor.ts'
import { startHttp } from './servers.ts'

/** A pod without Kubernetes: folders, an origin with a clip and a zip, a gateway, a supervisor. */
export interface AttemptFixture {
  /** Holds `in` and `work`. */
  readonly root: string
  /** Serves `/clip.mp4`, `/clip.zip`, `/empty.mp4` and the web page `/page.mp4`. */
  readonly originUrl: string
  attempt(
    script: SupervisorScript,
    changes?: Partial<Assignment>,
    answers?: Omit<GatewayScript, 'assignment'>,
    interrupted?: AbortSignal,
  ): Promise<FinishedAttempt>
  /**
   * An attempt of a pod that waits for its command.
   * @param script null: the test has a supervisor of its own
   */
  warmRunner(
    script: SupervisorScript | null,
    answers: Omit<GatewayScript, 'assignment'>,
    interrupted?: AbortSignal,
  ): Promise<FinishedAttempt>
  /** When the next attempts reach the failpoint, their clock has gone on by so much. */
  pause(failpoint: FailpointName, ms: number): void
  /** FFmpeg that makes one file in the working folder. */
  makes(name: string): SupervisorScript['run']
  cleanUp(): Promise<void>
}

export interface FinishedAttempt {
  readonly exitCode: number
  readonly gateway: TestGateway
  readonly supervisor: ScriptedSupervisor
  readonly terminationMessage: string
  /** Outputs of a success; none where there is no result or another one. */
  readonly published: readonly Pick<OutputFile, 'alias' | 'path' | 'sizeBytes' | 'fileCount'>[]
}

export async function attemptFixture(): Promise<AttemptFixture> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'transfer-')))
  await mkdir(join(root, 'in'))
  await mkdir(join(root, 'work'))
  const origin = await startOrigin()
  const cleanups = [() => origin.close(), () => rm(root, { recursive: true })]
  const pauses = new Map<FailpointName, number>()
  return {
    root,
    originUrl: origin.url,
    attempt: (script, changes = {}, answers = {}, interrupted = new AbortController().signal) =>
      attempt({ script, changes, answers, interrupted, isWarmRunner: false }),
    warmRunner: (script, answers, interrupted = new AbortController().signal) =>
      attempt({ script, changes: {}, answers, interrupted, isWarmRunner: true }),
    pause: (failpoint, ms) => void pauses.set(failpoint, ms),
    makes: (name) => async () => {
      await writeFile(join(root, 'work', name), 'made')
      return { code: 0 }
    },
    async cleanUp() {
      for (const clean of cleanups) await clean()
    },
  }

  async function attempt({ script, changes, answers, interrupted, isWarmRunner }: Asked) {
    const gateway = await startGateway({
      ...answers,
      assignment: { ...exampleAssignment(origin.url), ...changes },
    })
    const socketPath = join(root, 'link.sock')
    const supervisor = script === null ? noSupervisor : await startSupervisor(socketPath, script)
    cleanups.unshift(
      () => gateway.close(),
      () => supervisor.close(),
    )
    const effects = effectsWith(pauses)
    const log = () => undefined
    let terminationMessage = ''
    const ask = gatewayRequests(
      { url: gateway.url, readToken: async () => 'token', ca: null },
      effects,
    )
    const exitCode = await runCommand(
      {
        gateway: createGateway(ask, 10_000),
        awaitCommand: isWarmRunner
          ? (signal) => awaitCommand(ask, effects, log, { startedMs: 0, signal })
          : null,
        effects,
        resolve: async () => [],
        log,
        work: join(root, 'work'),
        socketPath,
        writeTerminationMessage: async (text) => {
          terminationMessage = text
        },
      },
      interrupted,
    )
    const published = publishedBy(gateway)
    return { exitCode, gateway, supervisor, terminationMessage, published }
  }
}

interface Asked {
  readonly script: SupervisorScript | null
  readonly changes: Partial<Assignment>
  readonly answers: Omit<GatewayScript, 'assignment'>
  readonly interrupted: AbortSignal
  readonly isWarmRunner: boolean
}

const noSupervisor: ScriptedSupervisor = {
  received: [],
  dismissed: Promise.resolve(),
  close: async () => undefined,
}

function effectsWith(pauses: ReadonlyMap<FailpointName, number>): Effects {
  const effects = systemEffects(directly)
  let passedMs = 0
  return {
    ...effects,
    clock: { ...effects.clock, monotonicMs: () => effects.clock.monotonicMs() + passedMs },
    failpoint(name, effect) {
      passedMs += pauses.get(name) ?? 0
      return effects.failpoint(name, effect)
    },
  }
}

function publishedBy({ results: [result] }: TestGateway): FinishedAttempt['published'] {
  if (result?.outcome.status !== 'SUCCESS') return []
  return result.outcome.files.map(({ alias, path, sizeBytes, fileCount }) => ({
    alias,
    path,
    sizeBytes,
    fileCount,
  }))
}

function startOrigin() {
  const zip = new ZipFile()
  zip.addBuffer(Buffer.from('text'), 'clip.txt')
  zip.end()
  return startHttp((request, response) => {
    if (request.url === '/clip.mp4') response.end(Buffer.alloc(100_000, 7))
    else if (request.url === '/empty.mp4') response.end()
    else if (request.url === '/page.mp4')
      response.end('<!DOCTYPE html><html><body>Sign in</body></html>')
    else if (request.url === '/clip.zip') zip.outputStream.pipe(response)
    else response.writeHead(404).end()
  })
}

export function exampleAssignment(originUrl: string): Assignment {
  return {
    commandId: '01990000-0000-7000-8000-000000000000',
    commands: ['-i {{in_1}} -c:v libx264 {{out_1}}'],
    inputs: [{ alias: 'in_1', url: `${originUrl}/clip.mp4`, stored: null }],
    inputFolder: null,
    outputs: { out_1: 'out.mp4' },
    vcpuCount: 2,
    maxRunSeconds: 60,
    limits: {
      fileBytes: 1024 ** 3,
      scratchBytes: 10 * 1024 ** 3,
      fileCount: 10_000,
      maxPixels: 67_108_864,
      transferSeconds: 600,
    },
    overlap: { inputs: true, outputs: true },
    file: null,
    network: { allowCidrs: ['127.0.0.0/8'], denyCidrs: [], denyEndpoints: [] },
  }
}
