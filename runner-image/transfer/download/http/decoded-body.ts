import { once } from 'node:events'
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib'
import type { Transform } from 'node:stream'
import { Failure } from '../../../../common/domain/failures.ts'
import { codeOf } from '../../../../common/runtime/error-code.ts'
import type { ResponseBody, TakePiece } from './response-body.ts'

/** Made for the first bytes of a body. */
export type Decoder = (start: Buffer) => Transform

/**
 * The decoder of a Content-Encoding: some servers compress although the request accepts plain bytes alone.
 * @returns null if the body is plain
 * @throws Failure naming an encoding that is unknown
 */
export function decoderOf(contentEncoding: string | undefined): Decoder | null {
  const names = (contentEncoding ?? '').toLowerCase().split(',')
  const encodings = names.map((name) => name.trim()).filter((name) => !plain.has(name))
  if (encodings.length === 0) return null
  const decoder = encodings.length === 1 ? decoders.get(encodings[0] ?? '') : undefined
  if (decoder !== undefined) return decoder
  const named = encodings.join(', ').slice(0, 40)
  throw new Failure('UNREACHABLE_INPUT_FILE', `answered with Content-Encoding ${named}`)
}

/** Stored beside objects by clients of S3 that meant another header. */
const plain: ReadonlySet<string> = new Set([
  '',
  'identity',
  'none',
  'aws-chunked',
  'utf-8',
  'binary',
])

const decoders: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ['gzip', () => createGunzip()],
  ['x-gzip', () => createGunzip()],
  // Deflate data is in a zlib frame (RFC 9110, section 8.4.1.2), which some servers leave out.
  ['deflate', ([first = 0]) => ((first & 0x0f) === 8 ? createInflate() : createInflateRaw())],
  ['br', () => createBrotliDecompress()],
  ['zstd', () => createZstdDecompress()],
])

const largestRatio = 200
/** A text of blanks may be small and its ratio large. */
const ratioAboveBytes = 1024 * 1024

/** A body without its Content-Encoding. Reading it throws a Failure at broken data, and at a bomb. */
export function decodedBody(body: ResponseBody, createDecoder: Decoder): ResponseBody {
  return {
    destroy: (error) => {
      body.destroy(error)
    },
    async read(take) {
      let unpacking: Unpacking | null = null
      try {
        await body.read((piece) => {
          // The memory of the piece is used again.
          const packed = Buffer.from(piece)
          unpacking ??= unpack(createDecoder(packed), take, body)
          return unpacking.write(packed)
        })
        await (unpacking as Unpacking | null)?.end()
      } catch (error) {
        throw isZlibError(error) ? new BrokenData(error) : error
      }
    },
  }
}

interface Unpacking {
  write(packed: Buffer): true | Promise<void>
  end(): Promise<void>
}

function unpack(decoder: Transform, take: TakePiece, body: ResponseBody): Unpacking {
  let [packedBytes, bytes] = [0, 0]

  async function output(): Promise<void> {
    for await (const piece of decoder as AsyncIterable<Buffer>) {
      bytes += piece.length
      if (bytes > ratioAboveBytes && bytes > packedBytes * largestRatio) throw new Bomb()
      const more = take(piece)
      if (more === false) return
      if (more !== true) await more
    }
  }

  const done = output()
  done.catch((error: unknown) => {
    body.destroy(error instanceof Error ? error : undefined)
  })
  return {
    write(packed) {
      packedBytes += packed.length
      return (
        decoder.write(packed) || Promise.race([once(decoder, 'drain'), done]).then(() => undefined)
      )
    },
    end() {
      decoder.end()
      return done
    },
  }
}

class Bomb extends Failure {
  constructor() {
    super(
      'UNREACHABLE_INPUT_FILE',
      `sent compressed data that is more than ${String(largestRatio)} times as large unpacked`,
    )
  }
}

class BrokenData extends Failure {
  constructor(cause: unknown) {
    super('UNREACHABLE_INPUT_FILE', 'sent compressed data that is broken', { cause })
  }
}

function isZlibError(error: unknown): boolean {
  return /^(?:Z_|ZSTD_|ERR__)/.test(codeOf(error) ?? '')
}
