import { logText } from '../../../common/store/logs.ts'
import { isFinal } from '../../../common/domain/states.ts'
import { DatabaseUnavailable } from '../../../common/store/health.ts'
import { refusal } from '../../http/errors.ts'
import { keyEnded } from './streams.ts'
import { logAgeLine } from '../../../common/domain/log-age-line.ts'
import { header, isWanted, lastLines, piecesOfObject, shownText } from './log-pieces.ts'
import type { SmallObjects } from '../../../common/storage/object-store.ts'
import type { CommandState } from '../../../common/store/command-states.ts'
import type { LogPosition, StoredChunk, StoredLogs } from '../../../common/store/logs.ts'
import type { Store } from '../../../common/store/store.ts'
import type { LogView } from './log-pieces.ts'
import type { OpenStream } from './streams.ts'
import type { CommandWatch } from './watch-commands.ts'

export interface FollowDeps {
  readonly store: Pick<Store, 'readLogs' | 'findLogObject'>
  readonly objects: Pick<SmallObjects, 'readRange'>
  readonly watch: CommandWatch
}

/** State of one follower. */
interface Sent {
  position: LogPosition | null
  step: number | null
  /** Bytes of each step of the present attempt. */
  readonly bytes: Map<number, number>
}

/** Followers wait for a new version of the row; this bounds the delay after a lost notification. */
const pollAgainMs = 30_000
const askAgainMs = 1_000

/**
 * The present log, then each new line, until the command has ended. After a lost attempt, a line
 * says so and the log of the next attempt follows.
 */
export async function* followLogs(
  deps: FollowDeps,
  first: CommandState,
  view: LogView,
  { signal, why }: ReturnType<OpenStream['begin']>,
): AsyncGenerator<string> {
  const { store, watch } = deps
  const followed = watch.follow(first)
  const sent: Sent = { position: null, step: null, bytes: new Map() }
  try {
    while (!signal.aborted) {
      const state = followed.state()
      const rows = await rowsAt(store, state, sent.position)
      if (rows === null) {
        await followed.newer(state.version, askAgainMs, signal)
        continue
      }
      const isFirst = sent.position === null
      const texts = [...newText(rows, view, sent)]
      if (isFirst && view.tail !== null) yield lastLines(texts.join(''), view.tail)
      else yield* texts
      if (isFinal(state.status)) {
        yield* remainder(deps, state.commandId, view, sent)
        return
      }
      await followed.newer(state.version, pollAgainMs, signal)
    }
    // An incomplete log must not appear complete.
    if (why() === 'age') yield logAgeLine
    if (why() === 'key') yield `\n==> ${keyEnded} <==\n`
    if (why() !== 'gone') throw refusal(503, 'The log is incomplete')
  } finally {
    followed.close()
  }
}

const reads = new WeakMap<CommandState, Map<string, Promise<StoredLogs>>>()

/**
 * Followers of one command at the same position share one read per version of its row.
 * @returns null while the database is unavailable: the follower waits
 */
async function rowsAt(
  store: FollowDeps['store'],
  state: CommandState,
  position: LogPosition | null,
): Promise<StoredLogs | null> {
  const ofState = reads.get(state) ?? new Map<string, Promise<StoredLogs>>()
  reads.set(state, ofState)
  const place = JSON.stringify(position)
  const read = ofState.get(place) ?? store.readLogs(state.commandId, position)
  ofState.set(place, read)
  try {
    return await read
  } catch (error) {
    ofState.delete(place)
    if (error instanceof DatabaseUnavailable) return null
    throw error
  }
}

function* newText({ attempt, chunks }: StoredLogs, view: LogView, sent: Sent): Generator<string> {
  if (attempt === null) return
  if (sent.position !== null && sent.position.attempt !== attempt) {
    sent.bytes.clear()
    sent.step = null
    yield '==> next attempt <==\n'
  }
  const sequence = Math.max(...chunks.map((chunk) => chunk.sequence))
  sent.position = { attempt, sequence }
  for (const [step, own] of Map.groupBy(chunks, (chunk) => chunk.step)) {
    if (isWanted(step, view)) yield textOf(step, own, view, sent)
  }
}

function textOf(step: number, chunks: StoredChunk[], view: LogView, sent: Sent): string {
  const text = logText(chunks)
  const head = sent.step === step ? '' : header(step, view)
  sent.step = step
  sent.bytes.set(step, (sent.bytes.get(step) ?? 0) + Buffer.byteLength(text))
  return head + shownText(text, view)
}

/** The last rows may have become the object before a slow follower has read them. */
async function* remainder(
  { store, objects }: FollowDeps,
  commandId: string,
  view: LogView,
  sent: Sent,
): AsyncGenerator<string> {
  const object = await store.findLogObject(commandId)
  if (object !== null) yield* piecesOfObject(objects, object, view, sent.bytes)
}
