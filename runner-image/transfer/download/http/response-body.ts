import type http from 'node:http'
import type net from 'node:net'
import type { Connection } from './connection-pool.ts'

/**
 * Takes the next bytes of a body, which lie in memory that is used again once it returns.
 * @returns true = more; false = the rest is not wanted; a promise = more as soon as it resolves
 */
export type TakePiece = (piece: Buffer) => boolean | Promise<void>

/** The body of an answer, which is read once or not at all. */
export interface ResponseBody {
  /**
   * Resolves at the body's end, or when the rest is not wanted.
   * @param memory memory for the next piece, if that can be chosen
   * @throws the error of `take`; the connection's error if the body breaks off
   */
  read(take: TakePiece, memory?: () => Buffer): Promise<void>
  /** Ends the connection; a `read` in flight fails with the error. */
  destroy(error?: Error): void
}

export interface CountedBody {
  /** Paused. */
  readonly connection: Connection
  readonly length: number
  /** Bytes that came together with the head. */
  readonly early: Buffer
  /** Called when the body is complete; the connection is as it was before the request. */
  readonly onEnd: () => void
}

/**
 * A body of a known length, straight from its connection. Node's HTTP parser copies each piece into
 * new memory, which costs more than the rest of a download.
 */
export function countedBody(
  { connection, length, early, onEnd }: CountedBody,
  signal: AbortSignal,
): ResponseBody {
  const { socket } = connection
  const unread = [Buffer.from(early)]
  // TLS delivers the records that it has decrypted by now, paused or not.
  function keep(bytes: Buffer): void {
    unread.push(Buffer.from(bytes))
  }
  socket.on('data', keep)
  return {
    read(take, memory) {
      const reading = createReading(socket, take, signal)
      let left = length
      function onData(bytes: Buffer): void {
        left -= bytes.length
        if (left < 0) {
          reading.fail(new SurplusBytes('the answer goes on behind its end'))
        } else if (left > 0) {
          reading.give(bytes)
        } else if (reading.giveLast(bytes)) {
          socket.off('data', onData)
          socket.off('close', onClose)
          connection.memory = null
          onEnd()
          reading.end()
        }
      }
      function onClose(): void {
        reading.fail(socket.errored ?? connectionClosed())
      }
      connection.memory = memory ?? null
      socket.off('data', keep).on('data', onData)
      socket.once('close', onClose)
      socket.resume()
      for (const bytes of unread) if (bytes.length > 0) onData(bytes)
      // The socket may have closed behind all that there is to read.
      if (socket.destroyed) onClose()
      return reading.done
    },
    destroy(error) {
      socket.destroy(error)
    },
  }
}

/** A body in chunks, or one that ends with its connection, as Node's HTTP parser gives it. */
export function parsedBody(
  socket: net.Socket,
  response: http.IncomingMessage,
  signal: AbortSignal,
): ResponseBody {
  return {
    read(take) {
      const reading = createReading(socket, take, signal)
      response.on('data', reading.give)
      response.once('error', reading.fail)
      response.once('end', () => {
        socket.destroy()
        reading.end()
      })
      if (response.errored !== null) reading.fail(response.errored)
      socket.resume()
      return reading.done
    },
    destroy(error) {
      response.destroy(error)
    },
  }
}

interface Reading {
  readonly done: Promise<void>
  readonly give: (piece: Buffer) => void
  /** @returns whether it was taken */
  readonly giveLast: (piece: Buffer) => boolean
  readonly end: () => void
  readonly fail: (error: unknown) => void
}

function createReading(socket: net.Socket, take: TakePiece, signal: AbortSignal): Reading {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>()
  function fail(error: unknown): void {
    socket.destroy()
    reject(error)
  }
  function abort(): void {
    fail(signal.reason)
  }
  function taken(piece: Buffer): ReturnType<TakePiece> | null {
    try {
      return take(piece)
    } catch (error) {
      fail(error)
      return null
    }
  }
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort)
  return {
    done: promise.finally(() => {
      signal.removeEventListener('abort', abort)
    }),
    give(piece) {
      const more = taken(piece)
      if (more === true || more === null) return
      if (more === false) {
        socket.destroy()
        resolve(undefined)
        return
      }
      socket.pause()
      more.then(() => socket.resume(), fail)
    },
    giveLast: (piece) => taken(piece) !== null,
    end() {
      resolve(undefined)
    },
    fail,
  }
}

/** Has a code like those of Node's parser. */
class SurplusBytes extends Error {
  override readonly name = 'SurplusBytes'
  readonly code = 'HPE_SURPLUS_BYTES'
}

/** Same message as Node.js. */
export function connectionClosed(): Error {
  return Object.assign(new Error('the connection was closed'), { code: 'ECONNRESET' })
}
