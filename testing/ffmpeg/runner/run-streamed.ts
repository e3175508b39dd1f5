import type http from 'node:http'
import path from 'node:path'
import { systemEffects } from '../../../common/runtime/system-effects.ts'
import { directly } from '../../../common/runtime/failpoint.ts'
import type { Effects } from '../../../common/runtime/effects.ts'
import type { Assignment, MediaFacts } from '../../../common/gateway/messages.ts'
import { createGateway } from '../../../runner-image/transfer/gateway/gateway.ts'
import { gatewayRequests } from '../../../runner-image/transfer/gateway/request.ts'
import { runCommand } from '../../../runner-image/transfer/run-command.ts'
import { startGateway } from '../../runner/gateway-server.ts'
import { startHttp } from '../../runner/servers.ts'
import { startContainer } from './container.ts'
import type { RunnerParts } from './test-runner.ts'

export interface ServedFile {
  readonly name: string
  readonly body: Buffer
}

export interface StreamedRequest {
  readonly parts: RunnerParts
  /** `in_1`, `in_2`, … */
  readonly files: readonly ServedFile[]
  /** On the same server, and no inputs. */
  readonly beside?: readonly ServedFile[]
  /** One, or those of a chain. */
  readonly command: string | readonly string[]
  /** Name of `out_1`, or of each output by its alias. */
  readonly output: string | Readonly<Record<string, string>>
  readonly fileBytes?: number
  readonly overlap: boolean
  /** Number of inputs that stop in the middle until FFmpeg is about to read them from a pipe. */
  readonly streamed: number
}

export interface StreamedResult {
  /** SUCCESS, or why not. */
  readonly outcome: string
  readonly objects: ReadonlyMap<string, Buffer>
  /** Aliases of the record. */
  readonly published: readonly string[]
  /** Logs of the command. */
  readonly logs: string
  /** Inputs that FFmpeg could read before they were complete. */
  readonly pipes: number
  readonly runs: number
  /** Probe of the output; null without one. */
  readonly media: MediaFacts | null
}

/** One attempt: the real transfer and, behind its sandbox, the real supervisor and FFmpeg. */
export async function runStreamed(request: StreamedRequest): Promise<StreamedResult> {
  const { parts, files } = request
  const fed = Promise.withResolvers<void>()
  const count = { fed: 0, runs: 0 }
  const origin = await startHttp((incoming, response) => {
    const file = [...files, ...(request.beside ?? [])].find(
      ({ name }) => incoming.url === `/${name}`,
    )
    void send(response, file?.body ?? Buffer.alloc(0), request.streamed > 0 ? fed.promise : null)
  })
  const gateway = await startGateway({ assignment: assignmentFor(request, origin.url) })
  const container = await startContainer({ root: parts.root, app: parts.app })
  const effects: Effects = {
    ...systemEffects(directly),
    failpoint(name, effect) {
      if (name === 'transfer.pipe_fed') {
        count.fed++
        if (count.fed === request.streamed) fed.resolve()
      }
      if (name === 'transfer.run_repeated') count.runs++
      return effect()
    },
  }
  try {
    const ask = gatewayRequests(
      { url: gateway.url, readToken: async () => 'token', readCa: null },
      effects,
    )
    await runCommand(
      {
        gateway: createGateway(ask, 10_000),
        awaitCommand: null,
        effects,
        resolve: async () => [],
        log: () => undefined,
        work: path.join(container.job, 'work'),
        socketPath: path.join(container.link, 'ffmpeg.sock'),
        writeTerminationMessage: async () => undefined,
      },
      new AbortController().signal,
    )
    const outcome = gateway.results[0]?.outcome
    return {
      outcome: outcome?.status === 'FAILED' ? outcome.errorMessage : (outcome?.status ?? 'none'),
      objects: gateway.objects,
      published: outcome?.status === 'SUCCESS' ? outcome.files.map(({ alias }) => alias) : [],
      logs: [...gateway.reports, ...gateway.results]
        .flatMap(({ logs }) => logs)
        .toSorted((a, b) => a.sequence - b.sequence)
        .map(({ text }) => text)
        .join(''),
      pipes: count.fed,
      runs: count.runs + 1,
      media: outcome?.status === 'SUCCESS' ? (outcome.files[0]?.media ?? null) : null,
    }
  } finally {
    await container.remove()
    await Promise.all([gateway.close(), origin.close()])
  }
}

/** Without a length, so that a small file too is worth an early start. */
async function send(
  response: http.ServerResponse,
  body: Buffer,
  middle: Promise<void> | null,
): Promise<void> {
  const half = Math.ceil(body.length / 2)
  response.write(body.subarray(0, half))
  // An input that cannot be read from a pipe is not waited for.
  if (middle !== null && body.length > 10_000) await middle
  response.end(body.subarray(half))
}

function assignmentFor(
  { files, command, output, overlap, fileBytes }: StreamedRequest,
  originUrl: string,
): Assignment {
  return {
    commandId: '01990000-0000-7000-8000-000000000000',
    commands: typeof command === 'string' ? [command] : [...command],
    inputs: files.map(({ name }, index) => ({
      alias: `in_${String(index + 1)}`,
      url: `${originUrl}/${name}`,
      stored: null,
    })),
    inputFolder: null,
    outputs: typeof output === 'string' ? { out_1: output } : output,
    vcpuCount: 2,
    maxRunSeconds: 60,
    limits: {
      fileBytes: fileBytes ?? null,
      scratchBytes: 1024 ** 3,
      fileCount: 10_000,
      maxPixels: 67_108_864,
      transferSeconds: 600,
    },
    overlap: { inputs: overlap, outputs: false },
    file: null,
    network: { allowCidrs: ['127.0.0.0/8'], denyCidrs: [], denyEndpoints: [] },
  }
}
