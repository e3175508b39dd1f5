import { closeSync, openSync, read, readSync } from 'node:fs'
import type http from 'node:http'
import { giveBackMemory, pieceBytes, takeMemory } from '../runtime/reused-memory.ts'

export interface Put {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Open for reading until the answer is here. */
  readonly fd: number
  /** Offset of the first byte. */
  readonly start: number
  readonly bytes: number
  /** Wants the checksum of what was sent. */
  readonly checked: boolean
  /**
   * Absent if all bytes are there. Resolves with the file's length once it is beyond `offset`;
   * rejects if that is not needed any more.
   */
  readonly grown?: (offset: number) => Promise<number>
}

type Range = Pick<Put, 'fd' | 'start' | 'bytes' | 'grown'>

/**
 * Sends a range of a file as the body of a request: the next piece is read while one is sent.
 * @param onPiece gets each piece, and must not keep it
 * @throws if the file cannot be read or is shorter than the range, and where the request ends first
 */
export async function sendRange(
  put: Range,
  request: http.ClientRequest,
  onPiece: (piece: Buffer) => void,
): Promise<void> {
  if (put.bytes <= pieceBytes && put.grown === undefined) sendPiece(put, request, onPiece)
  else await sendPieces(put, request, onPiece)
}

/**
 * Synchronous: FFmpeg has just written the file, so the kernel copies it from memory within microseconds, while a thread
 * of Node.js takes tens of them of the processor that FFmpeg needs. The request leaves with its headers in one call.
 */
function sendPiece(
  { fd, start, bytes }: Range,
  request: http.ClientRequest,
  onPiece: (piece: Buffer) => void,
): void {
  const memory = takeMemory()
  const piece = memory.subarray(0, bytes)
  for (let filled = 0; filled < bytes;) {
    const bytesRead = readSync(fd, piece, filled, bytes - filled, start + filled)
    if (bytesRead === 0) throw new Error(becameShorter)
    filled += bytesRead
  }
  onPiece(piece)
  request.end(piece, () => giveBackMemory(memory))
}

const becameShorter = 'the file became shorter while it was sent'

async function sendPieces(
  put: Range,
  request: http.ClientRequest,
  onPiece: (piece: Buffer) => void,
): Promise<void> {
  const end = put.start + put.bytes
  const grown = put.grown ?? (async () => end)
  const closed = new Promise<never>((_resolve, reject) => {
    request.once('close', () => {
      reject(new Error('the request ended before its body'))
    })
  })
  // The stream may end while nothing waits for it.
  closed.catch(() => undefined)
  // A separate descriptor for the same file: the caller may close its own.
  const fd = openSync(`/proc/self/fd/${String(put.fd)}`, 'r')
  try {
    let [next, sending] = [takeMemory(), takeMemory()]
    let sent = Promise.resolve()
    for (let position = put.start; position < end;) {
      const length = Math.min(end, await grown(position)) - position
      const bytesRead = await readInto(next, fd, { position, length: Math.min(length, pieceBytes) })
      if (bytesRead === 0) throw new Error(becameShorter)
      position += bytesRead
      const piece = next.subarray(0, bytesRead)
      onPiece(piece)
      await Promise.race([sent, closed])
      sent = written(request, piece)
      sent.catch(() => undefined)
      ;[next, sending] = [sending, next]
    }
    await Promise.race([sent, closed])
    giveBackMemory(next)
    giveBackMemory(sending)
  } finally {
    closeSync(fd)
  }
  request.end()
}

function readInto(
  memory: Buffer,
  fd: number,
  { position, length }: { readonly position: number; readonly length: number },
): Promise<number> {
  return new Promise((resolve, reject) => {
    read(fd, memory, 0, length, position, (error, bytesRead) => {
      if (error === null) resolve(bytesRead)
      else reject(error)
    })
  })
}

function written(request: http.ClientRequest, piece: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    request.write(piece, (error) => {
      if (error) reject(error)
      else resolve()
    })
  })
}
