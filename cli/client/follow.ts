import { isWebPage, webPage } from './errors.ts'
import { readEvents } from './read-events.ts'
import { routes } from './routes.ts'
import { hasEnded } from './wait.ts'
import { logAgeLine, splitAgeLine } from '../../common/domain/log-age-line.ts'
import { sleep } from '../../common/runtime/effects.ts'
import type { AccountEvent, CommandEvent, FileEvent } from '../../common/openapi/openapi-types.ts'
import type { Clock } from '../../common/runtime/effects.ts'
import type { CallOptions, Send } from './send.ts'

interface Deps {
  readonly send: Send
  readonly clock: Clock
}

export interface AccountOptions extends CallOptions {
  readonly onConnect?: () => void
  readonly onFile?: (event: FileEvent) => void
}

/** Delay before a reconnect. */
const reconnectMs = 1_000

/** The command's present state, then every change, until it has ended. Reconnects after a broken connection. */
export async function* followEvents(
  { send, clock }: Deps,
  commandId: string,
  options: CallOptions = {},
): AsyncGenerator<CommandEvent> {
  const path = pathOf(routes.getCommandEvents.path, commandId)
  for (;;) {
    for await (const { data } of readEvents(await open(send, path, options), 'status')) {
      const event = JSON.parse(data) as CommandEvent
      yield event
      if (hasEnded(event)) return
    }
    await sleep(clock, reconnectMs, options.signal)
  }
}

/**
 * The states of the account's commands that have not ended, then every change of any command, until
 * the signal aborts. Reconnects after a broken connection.
 * @param how `onConnect` is called when the stream begins, and again after each reconnect; `onFile` with the states of
 *   files, which the stream has only then
 */
export async function* followAccount(
  { send, clock }: Deps,
  { onConnect, onFile, ...options }: AccountOptions = {},
): AsyncGenerator<AccountEvent> {
  for (;;) {
    const path = `${routes.getEvents.path}${onFile === undefined ? '' : '?files=true'}`
    const stream = noting(await open(send, path, options), onConnect)
    for await (const { name, data } of readEvents(stream, 'command', 'file')) {
      if (name === 'file') onFile?.(JSON.parse(data) as FileEvent)
      else yield JSON.parse(data) as AccountEvent
    }
    await sleep(clock, reconnectMs, options.signal)
  }
}

/** The service sends the first text once every later change will be sent. */
async function* noting(stream: AsyncIterable<string>, onConnect: (() => void) | undefined) {
  let isFirst = true
  for await (const text of stream) {
    if (isFirst) onConnect?.()
    isFirst = false
    yield text
  }
}

export interface LogOptions {
  readonly step?: number
  /** Whether each line begins with `[error] `, `[warning] ` or `[info] `. */
  readonly levels?: boolean
}

/** FFmpeg's log as it is written, until the command has ended. */
export async function* followLogs(
  { send, clock }: Deps,
  commandId: string,
  { step, levels = false, ...options }: CallOptions & LogOptions = {},
): AsyncGenerator<string> {
  const query = `${step === undefined ? '' : `&step=${step}`}${levels ? '&levels=true' : ''}`
  const path = `${pathOf(routes.getCommandLogs.path, commandId)}?follow=true${query}`
  let shown = 0
  for (;;) {
    const stream = await open(send, path, options)
    // Each connection sends the log from the beginning.
    let skip = shown
    let held = ''
    for await (const piece of stream) {
      const split = splitAgeLine(held + piece)
      held = split.held
      const fresh = split.shown.slice(skip)
      skip = Math.max(0, skip - split.shown.length)
      shown += fresh.length
      if (fresh !== '') yield fresh
    }
    const rest = (held === logAgeLine ? '' : held).slice(skip)
    shown += rest.length
    if (rest !== '') yield rest
    if (!stream.broken()) return
    await sleep(clock, reconnectMs, options.signal)
  }
}

interface TextStream extends AsyncIterable<string> {
  /** Whether the stream ended by a broken connection, not by the service. */
  broken(): boolean
}

async function open(send: Send, path: string, options: CallOptions): Promise<TextStream> {
  const response = await send({ ...options, method: 'GET', path }, async (answer) => {
    if (isWebPage(answer)) throw webPage(answer)
    return answer
  })
  let broken = false
  async function* read(): AsyncGenerator<string> {
    const decoder = new TextDecoder()
    try {
      // Not by iteration, which Safari's streams do not have.
      const reader = (response.body as ReadableStream<Uint8Array<ArrayBuffer>> | null)?.getReader()
      for (;;) {
        const chunk = await reader?.read()
        if (chunk?.value === undefined) return
        yield decoder.decode(chunk.value, { stream: true })
      }
    } catch (error) {
      options.signal?.throwIfAborted()
      if (!(error instanceof TypeError)) throw error
      broken = true
    }
  }
  return { [Symbol.asyncIterator]: read, broken: () => broken }
}

function pathOf(template: string, id: string): string {
  return template.replace(/\{\w+\}/, encodeURIComponent(id))
}
