import { mkdir, mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises'
import type http from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openList } from '../../runner-image/transfer/download/playlist/open-list.ts'
import { fetchInputs } from '../../runner-image/transfer/download/fetch-inputs.ts'
import type {
  ArrivingInput,
  FetchedInput,
} from '../../runner-image/transfer/download/fetch-input.ts'
import { Failure } from '../../common/domain/failures.ts'
import { startHttp, startRaw } from './servers.ts'
import type { TestServer } from './servers.ts'
import { until } from '../support/until.ts'
import { testEffects } from './test-effects.ts'
import type { TestEffects } from './test-effects.ts'

/** Folders of a job, and origins that misbehave on purpose. */
export interface FetchFixture {
  readonly effects: TestEffects
  /** Requests to all origins, in order. */
  readonly requests: http.IncomingMessage[]
  /** Starts an origin and returns its URL. */
  origin(handler: OriginHandler): Promise<string>
  /** Starts an origin that answers with these bytes. */
  raw(answer: string): Promise<string>
  fetch(urls: string | readonly string[], limits?: FetchLimits): Promise<FetchedInput[]>
  /** Status and message of the Failure that a fetch ends with. */
  refusal(urls: string | readonly string[], limits?: FetchLimits): Promise<[string, string]>
  /** Bytes of an input's file. */
  stored(name: string): Promise<Buffer>
  names(): Promise<string[]>
  /** Resolves when some of the first input has been written. */
  partWritten(): Promise<void>
  cleanUp(): Promise<void>
}

export type OriginHandler = (
  request: http.IncomingMessage,
  response: http.ServerResponse,
) => unknown

export interface FetchLimits {
  readonly fileBytes?: number
  readonly scratchBytes?: number
  /** The URLs lie in our own storage, and no file of the account is there. */
  readonly missing?: boolean
  readonly onArriving?: (input: ArrivingInput) => void
  /** Aliases of files that are read while they come. */
  readonly read?: readonly string[]
  /** Aliases of which the command reads a limited time. */
  readonly bounded?: readonly string[]
  /** Aliases that the command reads with `-f concat`. */
  readonly concat?: readonly string[]
  readonly onSegments?: (fetchedPart: number) => void
}

export async function fetchFixture(): Promise<FetchFixture> {
  const root = await mkdtemp(join(tmpdir(), 'fetch-'))
  await mkdir(join(root, 'in'))
  await mkdir(join(root, 'work'))
  const effects = testEffects()
  const requests: http.IncomingMessage[] = []
  const servers: TestServer[] = []

  function fetch(urls: string | readonly string[], limits: FetchLimits = {}) {
    return fetchInputs(
      {
        sources: [urls].flat().map((url, index) => ({
          alias: `in_${String(index + 1)}`,
          url,
          stored: null,
          missing: limits.missing ?? false,
        })),
        assignment: {
          limits: {
            fileBytes: limits.fileBytes ?? null,
            scratchBytes: limits.scratchBytes ?? 1024 ** 3,
            fileCount: 10,
            maxPixels: 1,
            transferSeconds: 60,
          },
          network: { allowCidrs: ['127.0.0.0/8'], denyCidrs: [], denyEndpoints: [] },
        },
        work: join(root, 'work'),
        effects,
        resolve: async () => [],
        onFetched: () => undefined,
        read: limits.read ?? [],
        lists: {
          concat: limits.concat ?? [],
          open: (list, deps) => openList(list, limits.bounded ?? [], deps),
        },
        onSegments: limits.onSegments ?? (() => undefined),
        ...(limits.onArriving === undefined ? {} : { onArriving: limits.onArriving }),
      },
      new AbortController().signal,
    )
  }

  return {
    effects,
    requests,
    fetch,
    async origin(handler) {
      const server = await startHttp((request, response) => {
        requests.push(request)
        handler(request, response)
      })
      servers.push(server)
      return server.url
    },
    async raw(answer) {
      const server = await startRaw((socket) => socket.once('data', () => socket.end(answer)))
      servers.push(server)
      return server.url
    },
    async refusal(urls, limits) {
      try {
        await fetch(urls, limits)
      } catch (error) {
        if (error instanceof Failure) return [error.status, error.message]
        throw error
      }
      throw new Error('it was fetched')
    },
    stored: (name) => readFile(join(root, 'in', name)),
    names: () => readdir(join(root, 'in')),
    async partWritten() {
      await until(async () => (await stat(join(root, 'in/in_1.part'))).size)
    },
    async cleanUp() {
      await Promise.all(servers.map((server) => server.close()))
      await rm(root, { recursive: true })
    },
  }
}
