import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { Socket } from 'node:net'
import type { Effects } from '../../../common/runtime/effects.ts'
import type { GrowingFile } from '../download/growing-file.ts'
import { openForReader } from './make-fifo.ts'

/**
 * `given`: all of the file; `closed`: the reader closed the pipe, or it was stopped; `changed`: the
 * reader got the beginning of another version.
 */
export type FeedEnd = 'given' | 'closed' | 'changed'

export interface Feed {
  readonly ended: Promise<FeedEnd>
  /** Time in ms that the reader had to wait for bytes that had not arrived. */
  starvedMs(): number
  /**
   * Call it when there is no reader any more: it closes the pipe, which a reader would take for the
   * end of the file.
   */
  stop(): void
}

const pieceBytes = 256 * 1024

/**
 * Gives a reader the bytes of a file from its start, each as soon as everything before it is there.
 * The file stays whole beside it: a slow reader never blocks the download, and the file can be read
 * again. The reader sees an end only when the file is complete.
 */
export function feedFifo(path: string, file: GrowingFile, effects: Effects): Feed {
  const { clock, failpoint } = effects
  const stopping = new AbortController()
  const { version } = file
  let position = 0
  let starvedMs = 0
  let end: FeedEnd | null = null

  async function feed(): Promise<FeedEnd> {
    const source = await open(file.path)
    try {
      const reader = openReader(await openForReader(path, clock, stopping.signal))
      stopping.signal.addEventListener('abort', () => {
        reader.destroy()
      })
      return await giveAll(source, reader)
    } catch (error) {
      if (stopping.signal.aborted) return 'closed'
      throw error
    } finally {
      await source.close()
    }
  }

  async function giveAll(source: FileHandle, reader: FifoReader): Promise<FeedEnd> {
    const buffer = Buffer.allocUnsafe(pieceBytes)
    for (;;) {
      if (reader.isClosed()) return 'closed'
      if (file.version !== version) return 'changed'
      const ready = Math.min(file.head - position, pieceBytes)
      if (ready > 0) {
        const { bytesRead } = await source.read(buffer, 0, ready, position)
        // A new version may have replaced the bytes that were just read.
        if (file.version !== version) return 'changed'
        await reader.give(buffer.subarray(0, bytesRead))
        position += bytesRead
      } else if (file.complete) {
        await reader.end()
        return 'given'
      } else {
        const since = clock.monotonicMs()
        await Promise.race([file.changed(), reader.closed])
        starvedMs += clock.monotonicMs() - since
      }
    }
  }

  const ended = failpoint('transfer.pipe_fed', async () => {
    end ??= await feed()
    return end
  })
  return {
    ended,
    starvedMs: () => starvedMs,
    stop() {
      stopping.abort(new Error('the reader has closed the pipe'))
    },
  }
}

interface FifoReader {
  isClosed(): boolean
  readonly closed: Promise<void>
  /** Resolves when the pipe has taken it, or its reader is gone. */
  give(piece: Buffer): Promise<void>
  end(): Promise<void>
  destroy(): void
}

function openReader(fd: number): FifoReader {
  const socket = new Socket({ fd, readable: false, writable: true })
  const closed = Promise.withResolvers<void>()
  let isClosed = false
  const close = (): void => {
    isClosed = true
    closed.resolve()
  }
  // A reader that needs no more bytes closes its end: EPIPE.
  socket.on('error', close)
  socket.on('close', close)
  return {
    isClosed: () => isClosed,
    closed: closed.promise,
    async give(piece) {
      const taken = new Promise<void>((resolve) => {
        socket.write(piece, () => {
          resolve()
        })
      })
      await Promise.race([taken, closed.promise])
    },
    async end() {
      socket.end()
      await closed.promise
    },
    destroy() {
      socket.destroy()
    },
  }
}
