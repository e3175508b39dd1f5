import { spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import type { Readable } from 'node:stream'
import { hasCode } from '../../../common/runtime/error-code.ts'
import type { Clock } from '../../../common/runtime/effects.ts'
import { fencedCommand, fencedEnvironment } from './sandbox.ts'
import type { FencedCommand, Sandbox } from './sandbox.ts'

export interface FencedProcess {
  /** Resolves once, when the process is gone and all its output has been delivered. */
  readonly ended: Promise<ProcessEnd>
  /** Signals every process of its group; no error if none is left. */
  signal(name: 'SIGTERM' | 'SIGKILL'): void
  /** All of its stdin, if it reads any; no error if it has ended. */
  write(text: string): void
  /** Lowers its priority below all other processes. */
  giveWay(): void
}

export interface ProcessEnd {
  readonly code: number | null
  readonly signal: string | null
  /** Set if nothing was started. */
  readonly failure: Error | null
}

export interface Output {
  readonly onStdout?: (chunk: Buffer) => void
  readonly onStderr?: (chunk: Buffer) => void
  /** Output of descriptor 3, which FFmpeg's `-progress pipe:3` writes to. */
  readonly onProgress?: (chunk: Buffer) => void
  /** The process reads the text of `write` from its stdin, which is otherwise empty. */
  readonly takesStdin?: boolean
}

/**
 * Starts FFmpeg or ffprobe in the sandbox, in a process group of its own, with the working folder
 * of the job and no descriptors but those named here.
 */
export function startFenced(
  clock: Clock,
  sandbox: Sandbox,
  command: FencedCommand,
  output: Output,
): FencedProcess {
  const [program = '', ...argv] = fencedCommand(sandbox, command)
  const child = spawn(program, argv, {
    cwd: sandbox.folders.work,
    env: fencedEnvironment(sandbox.folders),
    detached: true,
    stdio: [
      output.takesStdin === true ? 'pipe' : 'ignore',
      output.onStdout === undefined ? 'ignore' : 'pipe',
      output.onStderr === undefined ? 'ignore' : 'pipe',
      ...(output.onProgress === undefined ? [] : ['pipe' as const]),
    ],
  })
  // it may end before it has read all
  child.stdin?.on('error', () => undefined)
  const streams = [
    listen(child.stdout, output.onStdout),
    listen(child.stderr, output.onStderr),
    listen(child.stdio[3], output.onProgress),
  ]

  function signal(name: 'SIGTERM' | 'SIGKILL'): void {
    if (child.pid === undefined) return
    try {
      process.kill(-child.pid, name)
    } catch (error) {
      if (!isGone(error)) throw error
    }
  }

  const ended = new Promise<ProcessEnd>((resolve) => {
    child.once('error', (failure) => resolve({ code: null, signal: null, failure }))
    child.once('exit', (code, name) => {
      // processes that it left behind would continue to write, and would keep its pipes open
      signal('SIGKILL')
      const cancel = clock.schedule(outputGraceMs, () =>
        streams.forEach((stream) => stream?.destroy()),
      )
      child.once('close', () => {
        cancel()
        resolve({ code, signal: name, failure: null })
      })
    })
  })
  return { ended, signal, giveWay, write: (text) => void child.stdin?.end(text) }

  function giveWay(): void {
    if (child.pid === undefined) return
    try {
      setPriority(child.pid, gentle)
    } catch {
      // it has ended, or this kernel does not support it: then it runs at normal priority
      return
    }
  }
}

/** A tenth of FFmpeg's CPU time if both need the CPU: see sched(7) on nice values. */
const gentle = 10

/** A process that left its group may keep a pipe open; its output is discarded. */
const outputGraceMs = 1000

function listen(
  stream: unknown,
  onData: ((chunk: Buffer) => void) | undefined,
): Readable | undefined {
  if (onData === undefined || !isReadable(stream)) return undefined
  stream.on('data', onData)
  // an error of a pipe needs no handling: the exit that closed it is reported
  stream.on('error', () => undefined)
  return stream
}

function isReadable(stream: unknown): stream is Readable {
  return typeof stream === 'object' && stream !== null && 'on' in stream
}

function isGone(error: unknown): boolean {
  return hasCode(error, 'ESRCH')
}
