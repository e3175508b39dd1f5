import { existsSync } from 'node:fs'
import net from 'node:net'
import { dirname } from 'node:path'
import { sleep } from '../../../common/runtime/effects.ts'
import type { Clock } from '../../../common/runtime/effects.ts'
import { transferExit } from '../../../common/domain/failures.ts'
import { createLineReader, encodeLine } from '../../link/line-codec.ts'
import { longestLine } from '../../link/messages.ts'
import type {
  Exited,
  Kill,
  Memory,
  Probe,
  Probed,
  Ready,
  Run,
  ToSupervisor,
} from '../../link/messages.ts'
import { parseFromSupervisor } from '../../link/parse-from-supervisor.ts'
import { AttemptEnded, FfmpegContainerLost } from '../runtime/attempt-ended.ts'
import { watchFolder } from '../folder/watch-folder.ts'
import { createAnswers } from './answers.ts'
import type { RunWatch } from './answers.ts'

/** Every promise rejects once the link drops. */
export interface Supervisor {
  ready(): Promise<Ready>
  probe(path: string, depth: Probe['depth']): Promise<Probed>
  /** @param stop ends this run alone, which is still answered */
  run(run: Omit<Run, 'type' | 'id'>, watch: RunWatch, stop: AbortSignal): Promise<Exited>
  /** Ends all runs; each run is still answered. */
  kill(reason: Kill['reason']): void
  /** The work is over: the supervisor's container exits with 0. */
  bye(): Promise<void>
  /** Leaves without a message: the supervisor kills all runs, and its container fails. */
  drop(): void
  /** Memory of the ffmpeg container, as last reported; null = never. */
  memory(): Memory | null
}

/** The part that the work of an attempt uses; the owner of the link opens and closes it. */
export type SupervisorWork = Omit<Supervisor, 'ready' | 'bye' | 'drop'>

const retryMs = 10
/** Both containers use one image, so the ffmpeg container starts at most moments later. */
const startMs = 60_000

/**
 * Connects as soon as the supervisor listens: the containers start in either order.
 * @param onLost called once if the link drops before `bye`, or if the supervisor cannot run
 * commands: AttemptEnded if the node has no sandbox, else FfmpegContainerLost
 * @throws FfmpegContainerLost if the connection is refused for a minute
 */
export async function connectSupervisor(
  socketPath: string,
  clock: Clock,
  signal: AbortSignal,
  onLost: (error: Error) => void,
): Promise<Supervisor> {
  const giveUpAt = clock.monotonicMs() + startMs
  const folder = watchFolder(dirname(socketPath))
  try {
    for (;;) {
      const changed = folder.changed()
      let cause: unknown = new Error(`there is no ${socketPath}`)
      // A failed try takes a millisecond of the CPUs on which the other container starts.
      if (existsSync(socketPath)) {
        try {
          return converse(await connect(socketPath), onLost)
        } catch (error) {
          cause = error
        }
      }
      if (clock.monotonicMs() > giveUpAt) throw new FfmpegContainerLost({ cause })
      await Promise.race([changed, sleep(clock, retryMs, signal)])
    }
  } finally {
    folder.close()
  }
}

async function connect(path: string): Promise<net.Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>()
  const socket = net.connect({ path })
  socket.once('connect', () => {
    resolve(undefined)
  })
  socket.once('error', reject)
  await promise
  socket.off('error', reject)
  return socket
}

function converse(socket: net.Socket, onLost: (error: Error) => void): Supervisor {
  const answers = createAnswers()
  const readLines = createLineReader(longestLine.fromSupervisor)
  let leaving = false
  let lastId = 0

  socket.on('data', (chunk: Buffer) => {
    try {
      for (const line of readLines(chunk)) receive(line)
    } catch (cause) {
      // The container in which hostile files are opened broke the protocol: it is not trusted any
      // more.
      socket.destroy()
      lose(new FfmpegContainerLost({ cause }))
    }
  })
  socket.on('error', (cause) => lose(new FfmpegContainerLost({ cause })))
  socket.on('close', () => lose(new FfmpegContainerLost()))

  function receive(line: string): void {
    const message = parseFromSupervisor(line)
    if (message.type === 'ready' && !message.sandbox.usable) lose(noSandbox(message))
    else answers.receive(message)
  }

  function lose(error: Error): void {
    if (answers.lost() !== null || leaving) return
    answers.lose(error)
    onLost(error)
  }

  function send(message: ToSupervisor): void {
    if (answers.lost() === null) socket.write(encodeLine(message))
  }

  /**
   * May be sent before `ready`: the container begins with it as soon as its sandbox has passed the
   * self-test.
   */
  async function ask<T>(message: Probe | Run, answer: (id: string) => Promise<T>): Promise<T> {
    const answered = answer(message.id)
    send(message)
    return answered
  }

  return {
    ready: () => answers.ready,
    memory: answers.memory,
    probe: (path, depth) =>
      ask({ type: 'probe', id: String(++lastId), path, depth }, answers.probed),
    async run(run, watch, stop) {
      const id = String(++lastId)
      const onStop = (): void => send({ type: 'kill', id, reason: 'cancelled' })
      const exited = ask({ type: 'run', id, ...run }, () => answers.exited(id, watch))
      stop.addEventListener('abort', onStop, { once: true })
      try {
        return await exited
      } finally {
        stop.removeEventListener('abort', onStop)
      }
    },
    kill: (reason) => send({ type: 'kill', id: null, reason }),
    async bye() {
      leaving = true
      if (answers.lost() !== null) return
      await new Promise<void>((resolve) => {
        socket.once('close', () => resolve())
        socket.end(encodeLine({ type: 'bye' }), resolve)
      })
    },
    drop() {
      leaving = true
      socket.destroy()
    },
  }
}

function noSandbox({ sandbox }: Ready): AttemptEnded {
  const problem = sandbox.problem ?? 'unknown'
  return new AttemptEnded(
    transferExit.sandboxUnavailable,
    `sandbox unavailable on this node: ${problem}`,
  )
}
