import { setTimeout as delay } from 'node:timers/promises'
import type { HostileServers } from './hostile-servers.ts'

/** How often each load is sent. */
export interface Counts {
  readonly poison: number
  readonly long: number
  readonly drips: number
  readonly failing: number
  readonly streams: number
  /** Each absent: that load is left out. */
  readonly followers?: number
  readonly unknownKeys?: number
  readonly reads?: number
}

export interface HostileLoad {
  readonly name: string
  readonly count: number
  /** Sends all of it; what is refused with 429 is sent again after the time that the answer names. */
  send(): Promise<void>
}

export interface HostileAccount {
  readonly loads: readonly HostileLoad[]
  /** How often each HTTP status was answered. */
  readonly statuses: ReadonlyMap<number, number>
  /** Ends streams and submissions, and cancels each command that has not ended. */
  stop(): Promise<void>
}

const inFlight = 16

/** Load of one account within its plan that could keep others from being served. */
export function hostileAccount(
  service: { readonly url: string; readonly apiKey: string },
  servers: HostileServers,
  counts: Counts,
): HostileAccount {
  const statuses = new Map<number, number>()
  const commands: string[] = []
  const stopping = new AbortController()
  const { signal } = stopping
  const headers = { 'x-api-key': service.apiKey, 'content-type': 'application/json' }

  async function call(path: string, init: RequestInit = {}): Promise<Response> {
    for (;;) {
      const response = await fetch(`${service.url}${path}`, { headers, signal, ...init })
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
      if (response.status !== 429) return response
      await response.body?.cancel()
      await delay(1_000 * Number(response.headers.get('retry-after') ?? 1), undefined, { signal })
    }
  }

  async function post(path: string, body: object): Promise<void> {
    const response = await call(path, { method: 'POST', body: JSON.stringify(body) })
    const answer = (await response.json()) as { readonly command_id?: string }
    if (answer.command_id !== undefined) commands.push(answer.command_id)
  }

  const repeated = (
    name: string,
    count: number,
    sendOne: (index: number) => Promise<void>,
  ): HostileLoad => ({
    name,
    count,
    async send() {
      let next = 0
      const worker = async (): Promise<void> => {
        while (next < count && !signal.aborted) await sendOne(next++)
      }
      await Promise.all(Array.from({ length: inFlight }, worker)).catch((error: unknown) => {
        if (!signal.aborted) throw error
      })
    },
  })

  async function once(path: string, apiKey = service.apiKey): Promise<Response> {
    const init = { headers: { ...headers, 'x-api-key': apiKey }, signal }
    const response = await fetch(`${service.url}${path}`, init)
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
    return response
  }

  /** Held open, never read. */
  async function openStream(path: string): Promise<void> {
    const response = await once(path)
    if (!response.ok) await response.body?.cancel()
  }

  /** `inFlight` of them at a time make some 20,000 a minute. */
  async function readOnce(apiKey?: string): Promise<void> {
    const response = await once('/v1/commands?limit=20', apiKey)
    await response.body?.cancel()
    await delay(48, undefined, { signal })
  }

  const commandFor = (index: number): string => commands[index % commands.length] ?? ''
  const { followers = 0, unknownKeys = 0, reads = 0 } = counts

  return {
    loads: [
      repeated('bodies whose resources would take 3 MB', counts.poison, () =>
        post('/v1/run-ffmpeg-command', poison),
      ),
      repeated('commands of an hour', counts.long, () => post('/v1/run-ffmpeg-command', long)),
      repeated('files from a server that drips', counts.drips, () =>
        post('/v1/files/store-file', { file_url: servers.drip }),
      ),
      repeated('failing commands with a receiver each', counts.failing, (index) =>
        post('/v1/run-ffmpeg-command', failing(servers.silentReceivers[index] ?? '')),
      ),
      repeated('event streams', counts.streams, (index) =>
        openStream(`/v1/commands/${commandFor(index)}/events`),
      ),
      repeated('followers of logs', followers, (index) =>
        openStream(`/v1/commands/${commandFor(index)}/logs?follow=true`),
      ),
      repeated('requests with an unknown key', unknownKeys, (index) =>
        readOnce(`unknown-${index}`),
      ),
      repeated('reads', reads, () => readOnce()),
    ].filter(({ count }) => count > 0),
    statuses,
    async stop() {
      stopping.abort(new Error('stopping'))
      const left = [...commands]
      const cancel = async (): Promise<void> => {
        for (let id = left.pop(); id !== undefined; id = left.pop()) {
          await fetch(`${service.url}/v1/commands/${id}/cancel`, { method: 'POST', headers })
        }
      }
      await Promise.all(Array.from({ length: inFlight }, cancel))
    },
  }
}

/** `&` takes six bytes in the JSON of a custom resource. */
const poison = {
  input_files: Object.fromEntries(
    Array.from({ length: 62 }, (_, index) => [
      `in_${index + 1}`,
      `https://media.invalid/a.avi?${'&'.repeat(8_100)}`,
    ]),
  ),
  output_files: { out_1: 'a.png' },
  ffmpeg_command: '-i {{in_1}} -frames:v 1 {{out_1}}',
  vcpu_count: 1,
}

/** At one frame a second it takes little of a processor. */
const long = {
  input_files: {},
  output_files: { out_1: 'long.mp4' },
  ffmpeg_command:
    '-re -f lavfi -i testsrc2=size=64x64:rate=1:duration=3500 -c:v libx264 -preset ultrafast {{out_1}}',
  vcpu_count: 1,
}

function failing(webhookUrl: string): object {
  return {
    input_files: { in_1: 'https://media.invalid/absent.mp4' },
    output_files: { out_1: 'a.png' },
    ffmpeg_command: '-i {{in_1}} -frames:v 1 {{out_1}}',
    vcpu_count: 1,
    webhook_url: webhookUrl,
  }
}
