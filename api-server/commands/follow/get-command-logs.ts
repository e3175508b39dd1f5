import { endpoint } from '../../http/endpoint.ts'
import { refusal } from '../../http/errors.ts'
import { streamHeaders } from '../../http/send-stream.ts'
import { isFinal } from '../../../common/domain/states.ts'
import { existingState } from './watch-commands.ts'
import { followLogs } from './follow-logs.ts'
import { lastLines, piecesOfObject, textOfRows } from './log-pieces.ts'
import type { Store } from '../../../common/store/store.ts'
import type { Answer } from '../../http/errors.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import type { FollowDeps } from './follow-logs.ts'
import type { LogView } from './log-pieces.ts'
import type { Streams } from './streams.ts'

interface Deps extends FollowDeps {
  readonly streams: Streams
  readonly store: Pick<Store, 'findState' | 'readLogs' | 'findLogObject'>
}

/** `GET /v1/commands/{command_id}/logs`: FFmpeg's log, live and after completion. */
export function getCommandLogs(deps: Deps): Endpoint {
  return endpoint('getCommandLogs', async ({ path, query }, context) => {
    const { key, fields } = context
    const state = await existingState(deps.store, key, path.command_id, fields)
    const step = query.step ?? null
    if (step !== null && step >= state.stepCount) throw noSuchStep(state.stepCount)
    const tail = query.tail ?? null
    const headed = step === null && state.stepCount > 1
    const view = { step, headed, tail, levels: query.levels }
    if (!query.follow || isFinal(state.status)) return wholeLog(deps, state.commandId, view)
    const open = deps.streams.open('logs', context)
    const stream = (gone: AbortSignal) => followLogs(deps, state, view, open.begin(gone))
    return { ...plain, release: open.release, stream }
  })
}

/** Reads the rows first: one transaction deletes them and records the object, so one of both exists. */
async function wholeLog(
  { store, objects }: Deps,
  commandId: string,
  view: LogView,
): Promise<Answer> {
  const { chunks } = await store.readLogs(commandId, null)
  const object = chunks.length > 0 ? null : await store.findLogObject(commandId)
  const { tail } = view
  if (object === null) {
    const text = textOfRows(chunks, view)
    return { ...plain, text: tail === null ? text : lastLines(text, tail) }
  }
  const pieces = piecesOfObject(objects, object, view)
  if (tail !== null) return { ...plain, text: lastLines(await textOf(pieces), tail) }
  // Read before the answer begins, so that an unavailable object store is a 503, not an aborted answer.
  const first = await pieces.next()
  return { ...plain, stream: () => from(first, pieces) }
}

/** At most 1 MiB for each of ten steps. */
async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  const all: string[] = []
  for await (const piece of pieces) all.push(piece)
  return all.join('')
}

async function* from<T>(first: IteratorResult<T, unknown>, rest: AsyncGenerator<T>) {
  if (first.done === true) return
  yield first.value
  yield* rest
}

const plain = {
  status: 200,
  body: undefined,
  headers: { 'Content-Type': 'text/plain; charset=utf-8', ...streamHeaders },
} as const

function noSuchStep(count: number) {
  const msg = `Input should be ${count - 1} or less: the command has ${count === 1 ? '1 step' : `${count} steps`}`
  return refusal(422, [{ loc: ['query', 'step'], msg, type: 'less_than_equal' }])
}
