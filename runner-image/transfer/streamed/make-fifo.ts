import { execFile } from 'node:child_process'
import { constants, open } from 'node:fs'
import { rm } from 'node:fs/promises'
import { promisify } from 'node:util'
import { hasCode } from '../../../common/runtime/error-code.ts'
import { sleep } from '../../../common/runtime/effects.ts'
import type { Clock } from '../../../common/runtime/effects.ts'

/**
 * Node.js has no call for it; coreutils' program takes 2 ms. @throws if the program does not exist
 */
export async function makeFifo(path: string): Promise<void> {
  await rm(path, { force: true })
  await promisify(execFile)('/usr/bin/mkfifo', ['--mode=0644', path])
}

/**
 * Opens a FIFO for writing once it has a reader. Without O_NONBLOCK the call would hold one of the
 * few threads that do all file work, for as long as FFmpeg does not open its input.
 * @returns a descriptor that the caller closes
 */
export async function openForReader(
  path: string,
  clock: Clock,
  signal: AbortSignal,
): Promise<number> {
  for (;;) {
    signal.throwIfAborted()
    try {
      return await promisify(open)(path, constants.O_WRONLY | constants.O_NONBLOCK)
    } catch (error) {
      if (!isWithoutReader(error)) throw error
      await sleep(clock, readerEveryMs, signal)
    }
  }
}

const readerEveryMs = 5

function isWithoutReader(error: unknown): boolean {
  return hasCode(error, 'ENXIO')
}
