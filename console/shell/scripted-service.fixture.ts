import { createClientWith } from '../../cli/client/client-with-effects.ts'
import { createVirtualClock } from '../../testing/support/virtual-clock.ts'
import { followLive } from './live.ts'
import type { Client } from '../../cli/client/client-with-effects.ts'
import type { VirtualClock } from '../../testing/support/virtual-clock.ts'

interface Call {
  readonly query: URLSearchParams
  readonly body: unknown
}

type Answer = (call: Call) => unknown

export interface ScriptedService {
  readonly client: Client
  readonly clock: VirtualClock
  /** "GET /v1/files?limit=48" for each request, without those of streams. */
  readonly requests: string[]
  readonly bodies: unknown[]
  /** Answers a call such as "GET /v1/files" by a value as JSON, a `Response`, or an error of the network. */
  on(call: string, answer: Answer): void
  /** Lets answers arrive while time stands still. */
  settle(): Promise<void>
  readonly stream: Streams
}

interface Streams {
  /** Addresses of the streams that were opened. */
  readonly opened: string[]
  /** Answers the next streams by this status; 200: opens them. */
  refuse(status: number): void
  /** Begins the newest stream, as the service does once every later change will be sent. */
  begin(): Promise<void>
  send(name: 'command' | 'file', data: object): Promise<void>
  /** Ends the newest stream, as a connection that breaks does. */
  breakOff(): Promise<void>
}

export const startMs = Date.parse('2026-05-19T18:00:00Z')

/** A service whose answers a test writes, with a client whose time the test moves. */
export function scriptedService(): ScriptedService {
  const clock = createVirtualClock({ startMs })
  const answers = new Map<string, Answer>()
  const requests: string[] = []
  const bodies: unknown[] = []
  const opened: string[] = []
  let streamStatus = 200
  let stream: ReadableStreamDefaultController<Uint8Array> | null = null
  let ids = 0
  const write = async (text: string) => {
    stream?.enqueue(new TextEncoder().encode(text))
    await settle()
  }

  const client = createClientWith({
    url: 'http://service.example/',
    apiKey: 'key',
    effects: { clock, random: () => 1, newId: () => `id-${(ids += 1)}` },
    async fetch(input, init) {
      const { pathname, search, searchParams: query } = new URL(String(input as string))
      init?.signal?.throwIfAborted()
      if (pathname === '/v1/events') return openStream(`${pathname}${search}`)
      const call = `${init?.method} ${pathname}`
      const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : null
      requests.push(`${call}${search}`)
      bodies.push(body)
      const answer = answers.get(call)
      if (answer === undefined) return status(404, `The test has no answer for ${call}`)
      const given = await unlessAborted(Promise.resolve({ query, body }).then(answer), init?.signal)
      return given instanceof Response ? given : Response.json(given)
    },
  })

  function openStream(address: string): Response {
    opened.push(address)
    if (streamStatus !== 200) return status(streamStatus, 'The stream is refused')
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        stream = controller
      },
    })
    return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } })
  }

  async function settle(): Promise<void> {
    for (let turn = 0; turn < 8; turn += 1) await clock.settle()
  }

  return {
    client,
    clock,
    requests,
    bodies,
    settle,
    on: (call, answer) => void answers.set(call, answer),
    stream: {
      opened,
      refuse: (code) => void (streamStatus = code),
      begin: () => write(': begun\n\n'),
      send: (name, data) => write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`),
      async breakOff() {
        stream?.error(new TypeError('network error'))
        await settle()
      },
    },
  }
}

/** An answer of the service that refuses. */
export function status(code: number, detail: string): Response {
  return Response.json({ detail }, { status: code })
}

function unlessAborted<T>(answer: Promise<T>, signal: AbortSignal | null | undefined): Promise<T> {
  const aborted = new Promise<never>((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error))
  })
  return Promise.race([answer, aborted])
}

export interface TestTab {
  show(): void
  hide(): void
  /** Draws a frame, which the browser does for visible tabs alone. */
  draw(): void
  /** Frames that were asked for. */
  readonly frames: (() => void)[]
  readonly close: () => void
}

/** A tab that follows the events of the service. */
export function openTab({ client, clock }: ScriptedService): TestTab {
  const frames: (() => void)[] = []
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' })
  const become = (state: string) => {
    page.visibilityState = state
    page.dispatchEvent(new Event('visibilitychange'))
  }
  const close = followLive(client, {
    page: page as unknown as Document,
    clock,
    onFrame: (draw) => void frames.push(draw),
  })
  return {
    frames,
    close,
    show: () => become('visible'),
    hide: () => become('hidden'),
    draw: () => frames.splice(0).forEach((frame) => frame()),
  }
}
