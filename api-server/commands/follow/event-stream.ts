import { streamHeaders } from '../../http/send-stream.ts'
import { keyEnded } from './streams.ts'
import type { Answer } from '../../http/errors.ts'
import type { Clock } from '../../../common/runtime/effects.ts'
import type { OpenStream } from './streams.ts'

export interface EventSource {
  /**
   * The text of the events since the last call. Waits for some until `ms` have passed or the signal
   * aborts; the text is then empty.
   * @returns null after the last event
   */
  next(ms: number, signal: AbortSignal): Promise<string | null>
  close(): void
}

interface Deps {
  readonly clock: Clock
  readonly open: OpenStream
  /** Called once the client reads: a HEAD follows nothing. */
  readonly source: () => EventSource
  /** Whether an event says that the server ends the stream, so that the client connects again at once. */
  readonly saysBye: boolean
}

const commentEveryMs = 15_000

/** Server-sent events, see https://html.spec.whatwg.org/multipage/server-sent-events.html. */
export function eventStream({ clock, open, source, saysBye }: Deps): Answer {
  return {
    status: 200,
    body: undefined,
    headers: { 'Content-Type': 'text/event-stream; charset=utf-8', ...streamHeaders },
    release: open.release,
    stream: (gone) => events({ clock, source: source(), saysBye }, open.begin(gone)),
  }
}

/** After this process ends, the client reconnects and gets the present state first. */
async function* events(
  { clock, source, saysBye }: Pick<Deps, 'clock' | 'saysBye'> & { readonly source: EventSource },
  { signal, why }: ReturnType<OpenStream['begin']>,
): AsyncGenerator<string> {
  try {
    let commentAt = clock.monotonicMs() + commentEveryMs
    while (!signal.aborted) {
      const text = await source.next(Math.max(0, commentAt - clock.monotonicMs()), signal)
      if (text === null) return
      if (text !== '') yield text
      if (clock.monotonicMs() < commentAt || signal.aborted) continue
      // Proxies close idle connections.
      yield ': waiting\n\n'
      commentAt += commentEveryMs
    }
    const end = why()
    if (saysBye && (end === 'age' || end === 'draining')) yield bye(end)
    else if (end === 'age') yield reconnect
    if (end === 'key') yield eventText('error', { status: 401, detail: keyEnded })
  } finally {
    source.close()
  }
}

/** Browsers' EventSource then reconnects after a second. */
const reconnect = 'retry: 1000\n\n'

function bye(why: 'age' | 'draining'): string {
  return `retry: 1000\n${eventText('bye', { why })}`
}

export function eventText(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}
