import type { MediaFacts } from '../../common/gateway/messages.ts'

/**
 * Messages between `transfer` and the supervisor over the unix socket of their pod: one JSON object
 * a line. Exactly one connection is served; if it closes without a `bye`, the other side has died.
 */
export type ToSupervisor = Order | Bye
/** May come before `ready`; carried out after it, in their order. */
export type Order = Probe | Run | Kill
export type FromSupervisor = Ready | Probed | Progress | Memory | StderrLines | Exited

/**
 * Longest line in bytes. The supervisor's messages are small, and come from the container in which
 * hostile files are opened; an argv of a command of 64 KiB is larger than its text.
 */
export const longestLine = { toSupervisor: 1024 * 1024, fromSupervisor: 64 * 1024 } as const

/** Answered by `probed` with the same id. Probes run beside runs and beside each other. */
export interface Probe {
  readonly type: 'probe'
  readonly id: string
  /** Relative to the working folder: `../in/in_1.mp4`, `out.mp4`. */
  readonly path: string
  /**
   * `duration` saves the reading of packets that only a record's other fields need; `ends` is for a
   * file with a hole between its beginning and its end.
   */
  readonly depth: 'duration' | 'ends' | 'record'
}

/** Answered by any number of `progress` and `stderr`, then one `exited`, all with the same id. */
export interface Run {
  readonly type: 'run'
  readonly id: string
  /** Index of the step in its chain. */
  readonly step: number
  /** Without the program's name; `-progress pipe:3` is part of it. */
  readonly argv: readonly string[]
  readonly limits: RunLimits
  /** Paths that will be probed for their records once the run has succeeded. */
  readonly outputs: readonly string[]
  /** The file that gets FFmpeg's log; null = none. */
  readonly log: RunLog | null
}

export interface RunLog {
  /** Relative to the working folder. */
  readonly path: string
  /** FFmpeg's number of the last level that belongs to it. */
  readonly level: number
  /** Each line keeps its level, as `[error]`. */
  readonly isMarked: boolean
  /** Keys are aliases, values the paths that an alias replaces. */
  readonly inputPaths: Readonly<Record<string, string>>
}

export interface RunLimits {
  /** Seconds from spawn: TERM at the cap, KILL of the process group 5 s later. */
  readonly seconds: number
  /** The largest file that FFmpeg can write; null = no limit. */
  readonly fileBytes: number | null
  /** All regular files below the working folder together. */
  readonly scratchBytes: number
  /** Files below the working folder. */
  readonly fileCount: number
}

/** Ends the run with this id, or all runs; each is still answered by its `exited`. */
export interface Kill {
  readonly type: 'kill'
  readonly id: string | null
  readonly reason: 'cancelled' | 'interrupted' | 'input_incomplete'
}

/** The supervisor exits 0. */
export interface Bye {
  readonly type: 'bye'
}

/** The first message, once the self-test of the sandbox is over. */
export interface Ready {
  readonly type: 'ready'
  /** `7.1.5-0+deb13u1`; `unknown` if the image has no list of its packages. */
  readonly ffmpegVersion: string
  readonly sandbox: SandboxReport
  readonly cpus: number
}

/** If `usable` is false nothing is run: the attempt ends with exit 43. */
export interface SandboxReport {
  readonly mode: SandboxMode
  readonly usable: boolean
  readonly landlock: boolean
  readonly seccomp: boolean
  /** Part that the self-test could not verify, in words for the operator; null: none. */
  readonly problem: string | null
}

export const sandboxModes = ['required', 'preferred', 'off'] as const
export type SandboxMode = (typeof sandboxModes)[number]

export interface Probed {
  readonly type: 'probed'
  readonly id: string
  /** null = FFmpeg cannot read the file; 0 = a container without a single stream. */
  readonly streams: number | null
  /** The code of the video in its container: `avc1`, `hev1`; null where there is none. */
  readonly videoTag: string | null
  /** If the file cannot be read, all fields are null but those that the name gives. */
  readonly facts: MediaFacts
}

/** One block of FFmpeg's `-progress`; null if FFmpeg says N/A or leaves a key out. */
export interface Progress {
  readonly type: 'progress'
  readonly id: string
  readonly step: number
  readonly outTimeUs: number | null
  readonly frame: number | null
  readonly totalBytes: number | null
  /** Multiple of real time. */
  readonly speed: number | null
  /** Time, frames and the working folder have not changed for 60 s. */
  readonly stalled: boolean
}

/** Bytes of the whole container, at most every 2 s while something runs: the last survives an OOM. */
export interface Memory {
  readonly type: 'memory'
  readonly current: number
  readonly peak: number
  readonly limit: number | null
}

/** New lines of FFmpeg's log, control characters removed, at most twice a second. */
export interface StderrLines {
  readonly type: 'stderr'
  readonly id: string
  readonly step: number
  readonly lines: readonly string[]
  /** Lines left out before these, because FFmpeg wrote faster than the link carries. */
  readonly dropped: number
}

export interface Exited {
  readonly type: 'exited'
  readonly id: string
  readonly step: number
  /** null if a signal ended it. */
  readonly code: number | null
  readonly signal: string | null
  /**
   * Why the supervisor ended the run, could not start it, or found at its end that it had broken a
   * limit; null = FFmpeg ended by itself.
   */
  readonly reason: EndReason | null
  /** The kernel killed a process of this container for its memory during the run. */
  readonly oom: boolean
  /** The kernel refused this container a thread or process during the run: the limit of its pids. */
  readonly threadRefused: boolean
  /** FFmpeg has made frames, time or bytes, so the command line was accepted. */
  readonly progressed: boolean
  /** Seconds from spawn, monotonic. */
  readonly seconds: number
  /** The last errors of FFmpeg's log, or other lines that may explain its end, at most 16 KiB. */
  readonly tail: string
}

export const endReasons = [
  'timeout',
  'cancelled',
  'interrupted',
  'input_incomplete',
  /** The log that is stored has become larger than a file may be. */
  'file_bytes',
  'scratch_bytes',
  'free_space',
  'file_count',
  /** The working folder could not be measured: its limits may be exceeded. */
  'unmeasured',
  /** The program could not be started, or the wrapper around it failed. */
  'not_started',
] as const
export type EndReason = (typeof endReasons)[number]
