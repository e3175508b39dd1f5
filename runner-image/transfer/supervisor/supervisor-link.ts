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
  Progress,
  Ready,
  Run,
  StderrLines,
  ToSupervisor,
} from '../../link/messages.ts'
import { parseFromSupervisor } from '../../link/parse-from-supervisor.ts'
import { AttemptEnded, FfmpegContainerLost } from '../runtime/attempt-ended.ts'
import { watchFolder } from '../folder/watch-folder.ts'

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

export interface RunWatch {
  onProgress(progress: Progress): void
  onStderr(lines: StderrLines): void
}

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
  const ready = Promise.withResolvers<Ready>()
  const probes = new Map<string, PromiseWithResolvers<Probed>>()
  const runs = new Map<string, PromiseWithResolvers<Exited> & { watch: RunWatch }>()
  const readLines = createLineReader(longestLine.fromSupervisor)
  let memory: Memory | null = null
  let lost: Error | null = null
  let leaving = false
  let lastId = 0
  // No caller waits for it once it has settled; `onLost` delivers its rejection to all requests.
  ready.promise.catch(() => undefined)

  socket.on('data', (chunk: Buffer) => {
    try {
      for (const line of readLines(chunk)) receive(line)
    } catch (error) {
      // The container in which hostile files are opened broke the protocol: it is not trusted any
      // more.
      socket.destroy()
      lose(new FfmpegContainerLost({ cause: error }))
    }
  })
  socket.on('error', (error) => {
    lose(new FfmpegContainerLost({ cause: error }))
  })
  socket.on('close', () => {
    lose(new FfmpegContainerLost())
  })

  function receive(line: string): void {
    const message = parseFromSupervisor(line)
    switch (message.type) {
      case 'ready':
        return message.sandbox.usable ? ready.resolve(message) : lose(noSandbox(message))
      case 'memory':
        memory = message
        return
      case 'probed':
        probes.get(message.id)?.resolve(message)
        probes.delete(message.id)
        return
      case 'progress':
        return runs.get(message.id)?.watch.onProgress(message)
      case 'stderr':
        return runs.get(message.id)?.watch.onStderr(message)
      case 'exited':
        runs.get(message.id)?.resolve(message)
        runs.delete(message.id)
    }
  }

  function lose(error: Error): void {
    if (lost !== null || leaving) return
    lost = error
    ready.reject(error)
    for (const waiting of [...probes.values(), ...runs.values()]) waiting.reject(error)
    onLost(error)
  }

  function send(message: ToSupervisor): void {
    if (lost === null) socket.write(encodeLine(message))
  }

  /**
   * May be sent before `ready`: the container begins with it as soon as its sandbox has passed the
   * self-test.
   */
  async function ask<T, Entry extends PromiseWithResolvers<T>>(
    waiting: Map<string, Entry>,
    entry: Entry,
    message: (id: string) => ToSupervisor,
  ): Promise<T> {
    if (lost !== null) throw lost
    const id = String(++lastId)
    waiting.set(id, entry)
    send(message(id))
    return entry.promise
  }

  return {
    ready: () => ready.promise,
    probe: (path, depth) =>
      ask(probes, Promise.withResolvers<Probed>(), (id) => ({ type: 'probe', id, path, depth })),
    async run(run, watch, stop) {
      let started: string | null = null
      const onStop = (): void => {
        if (started !== null) send({ type: 'kill', id: started, reason: 'cancelled' })
      }
      stop.addEventListener('abort', onStop, { once: true })
      try {
        return await ask(runs, { ...Promise.withResolvers<Exited>(), watch }, (id) => {
          started = id
          return { type: 'run', id, ...run }
        })
      } finally {
        stop.removeEventListener('abort', onStop)
      }
    },
    kill(reason) {
      send({ type: 'kill', id: null, reason })
    },
    async bye() {
      leaving = true
      if (lost !== null) return
      await new Promise<void>((resolve) => {
        socket.once('close', () => {
          resolve()
        })
        socket.end(encodeLine({ type: 'bye' }), resolve)
      })
    },
    drop() {
      leaving = true
      socket.destroy()
    },
    memory: () => memory,
  }
}

function noSandbox({ sandbox }: Ready): AttemptEnded {
  const problem = sandbox.problem ?? 'unknown'
  return new AttemptEnded(
    transferExit.sandboxUnavailable,
    `sandbox unavailable on this node: ${problem}`,
  )
}
