import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError, apiErrorFrom } from './api-error.ts'
import type {
  CommandAccepted,
  CommandListItem,
  CommandStatus,
  CommandStatusRecord,
  RunFfmpegCommandRequest,
} from '../openapi-types.ts'

export interface Client {
  /** Resolves once the service has stored the command. */
  submit(submission: SingleSubmission): Promise<CommandAccepted>
  /** @param options.presignedTtlSeconds makes URLs of private outputs work for that long */
  getCommand(
    commandId: string,
    options?: { presignedTtlSeconds?: number; signal?: AbortSignal },
  ): Promise<CommandStatusRecord>
  listCommands(query?: {
    limit?: number
    offset?: number
    status?: CommandStatus
  }): Promise<CommandListItem[]>
  /**
   * Polls until the command has ended, and returns its record, failed or not. An outage of the
   * service does not end the wait, the signal does.
   */
  waitFor(commandId: string, options?: WaitOptions): Promise<CommandStatusRecord>
}

export type SingleSubmission = RunFfmpegCommandRequest

export interface WaitOptions {
  /** 1,000 by default. */
  readonly pollMs?: number
  readonly signal?: AbortSignal
  readonly onPoll?: (record: CommandStatusRecord) => void
}

export interface ClientOptions {
  /** Base address of the service, without `/v1`. */
  readonly url: string
  readonly apiKey: string
  readonly fetch?: typeof fetch
}

/** All methods reject with `ApiError` where the service refuses, with fetch's error without answer. */
export function createClient(options: ClientOptions): Client {
  const send = options.fetch ?? fetch
  const base = options.url.replace(/\/+$/, '')

  async function call(path: string, init: RequestInit = {}): Promise<unknown> {
    const response = await send(`${base}${path}`, {
      ...init,
      headers: { 'X-API-KEY': options.apiKey, 'Content-Type': 'application/json' },
    })
    if (!response.ok) throw await apiErrorFrom(response)
    return response.json()
  }

  const client: Client = {
    submit: async (submission) =>
      (await call('/v1/run-ffmpeg-command', {
        method: 'POST',
        body: JSON.stringify(submission),
      })) as CommandAccepted,
    getCommand: async (commandId, { presignedTtlSeconds, signal } = {}) =>
      (await call(
        `/v1/commands/${encodeURIComponent(commandId)}${queryFrom({ presigned_ttl_seconds: presignedTtlSeconds })}`,
        signal === undefined ? {} : { signal },
      )) as CommandStatusRecord,
    listCommands: async (query = {}) =>
      (await call(`/v1/commands${queryFrom(query)}`)) as CommandListItem[],
    async waitFor(commandId, { pollMs = 1_000, signal, onPoll } = {}) {
      const abort = signal === undefined ? {} : { signal }
      for (;;) {
        const found = await client.getCommand(commandId, abort).catch(passing)
        if (found instanceof ApiError) {
          await sleep(Math.max(pollMs, (found.retryAfterSeconds ?? 0) * 1_000), undefined, abort)
          continue
        }
        if (found !== null) {
          onPoll?.(found)
          if (found.status === 'SUCCESS' || found.status === 'FAILED') return found
        }
        await sleep(pollMs, undefined, abort)
      }
    },
  }
  return client
}

/** What a later poll may not meet again: 429, 5xx, no answer at all. */
function passing(error: unknown): ApiError | null {
  if (error instanceof ApiError && (error.status === 429 || error.status >= 500)) return error
  if (error instanceof TypeError) return null
  throw error
}

function queryFrom(values: Record<string, string | number | undefined>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) query.set(name, String(value))
  }
  return query.size === 0 ? '' : `?${query.toString()}`
}

export type { CommandListItem, CommandStatusRecord }
