import net from 'node:net'
import { createLineReader, encodeLine } from '../../runner-image/link/line-codec.ts'
import { longestLine } from '../../runner-image/link/messages.ts'
import type {
  Exited,
  FromSupervisor,
  Probe,
  Run,
  ToSupervisor,
} from '../../runner-image/link/messages.ts'
import { parseToSupervisor } from '../../runner-image/link/parse-to-supervisor.ts'
import { closed, listen } from './servers.ts'
import { unknownMedia } from '../../common/gateway/unknown-media.ts'

/** Speaks the link's protocol, and runs a function where the real one would run FFmpeg. */
export interface ScriptedSupervisor {
  readonly received: ToSupervisor[]
  /** `bye` has come. */
  readonly dismissed: Promise<void>
  close(): Promise<void>
}

export interface SupervisorScript {
  /** Behaviour of FFmpeg; undefined: nothing is answered until a kill comes. */
  readonly run: (
    run: Run,
    say: (message: FromSupervisor) => void,
  ) => Promise<Partial<Exited> | 'drop' | 'hang'>
  /** `drop`: its container dies; `silent`: no answer comes. */
  readonly probe?: (
    probe: Probe,
  ) => { streams: number | null; duration?: number; videoTag?: string } | 'drop' | 'silent'
}

export async function startSupervisor(
  socketPath: string,
  script: SupervisorScript,
): Promise<ScriptedSupervisor> {
  const received: ToSupervisor[] = []
  const dismissed = Promise.withResolvers<void>()
  const sockets = new Set<net.Socket>()
  const server = net.createServer((socket) => {
    sockets.add(socket)
    const say = (message: FromSupervisor): void => {
      socket.write(encodeLine(message))
    }
    const readLines = createLineReader(longestLine.toSupervisor)
    const running = new Map<string, Run>()
    say({
      type: 'ready',
      ffmpegVersion: '7.1.5',
      cpus: 2,
      sandbox: { mode: 'required', usable: true, landlock: true, seccomp: true, problem: null },
    })
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      for (const line of readLines(Buffer.from(chunk))) void receive(parseToSupervisor(line))
    })

    async function receive(message: ToSupervisor): Promise<void> {
      received.push(message)
      switch (message.type) {
        case 'probe': {
          const probed = script.probe?.(message) ?? { streams: 1 }
          if (probed === 'silent') return
          if (probed === 'drop') return void socket.destroy()
          const { streams, duration = null, videoTag = null } = probed
          return say({
            type: 'probed',
            id: message.id,
            streams,
            videoTag,
            facts: { ...unknownMedia, duration },
          })
        }
        case 'run': {
          running.set(message.id, message)
          // A script that throws would leave the test waiting; so its words come out as FFmpeg's.
          const end = await script
            .run(message, say)
            .catch((error: unknown) => ({ code: 1, tail: String(error) }))
          if (end === 'drop') socket.destroy()
          else if (end !== 'hang' && running.delete(message.id)) say(exited(message, end))
          return
        }
        case 'kill':
          for (const run of running.values()) {
            if (message.id !== null && message.id !== run.id) continue
            running.delete(run.id)
            say(exited(run, { signal: 'SIGKILL', reason: message.reason }))
          }
          return
        case 'bye':
          dismissed.resolve()
          socket.end()
      }
    }
  })
  await listen(server, socketPath)
  return { received, dismissed: dismissed.promise, close }

  function close(): Promise<void> {
    for (const socket of sockets) socket.destroy()
    return closed(server)
  }
}

/** A report in which nothing is known but how much of the output is made, in microseconds. */
export function progressOf(id: string, outTimeUs: number): FromSupervisor {
  const unknown = { frame: null, totalBytes: null, speed: null }
  return { type: 'progress', id, step: 0, outTimeUs, ...unknown, stalled: false }
}

function exited({ id, step }: Run, end: Partial<Exited>): Exited {
  const code = end.signal === undefined ? 0 : null
  return {
    type: 'exited',
    id,
    step,
    code,
    signal: null,
    reason: null,
    oom: false,
    threadRefused: false,
    progressed: true,
    seconds: 1.5,
    tail: '',
    ...end,
  }
}
