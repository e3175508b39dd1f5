import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { RandomAccessReader, fromRandomAccessReaderPromise, openPromise } from 'yauzl'
import type { Options, ZipFile } from 'yauzl'

const options: Options = {
  lazyEntries: true,
  autoClose: false,
  decodeStrings: false,
  validateEntrySizes: true,
}

/**
 * Opens a zip. Self-extracting archives have a program in front, and some servers send bytes behind the end, which yauzl
 * takes for a broken archive.
 * @throws for anything else than a zip
 */
export async function openArchive(path: string): Promise<ZipFile> {
  const { start, end, sizeBytes } = await sectionOf(path)
  if (start === 0 && end === sizeBytes) return openPromise(path, options)
  return fromRandomAccessReaderPromise(new Section(path, start), end - start, options)
}

/** The part of a file from an offset on. */
class Section extends RandomAccessReader {
  readonly #path: string
  readonly #start: number

  constructor(path: string, start: number) {
    super()
    this.#path = path
    this.#start = start
  }

  override _readStreamForRange(first: number, end: number): Readable {
    return createReadStream(this.#path, { start: this.#start + first, end: this.#start + end - 1 })
  }
}

interface ZipSection {
  readonly start: number
  readonly end: number
  readonly sizeBytes: number
}

/** Records of a zip: APPNOTE.TXT 4.3.14 to 4.3.16. */
const endRecord = { signature: 0x06054b50, bytes: 22, longestComment: 0xffff }
const locator = { signature: 0x07064b50, bytes: 20 }
const largeEndRecord = { signature: 0x06064b50, bytes: 56 }

/** Finds the zip in its file by its last record. Offsets in the zip count from its own start. */
async function sectionOf(path: string): Promise<ZipSection> {
  const file = await open(path)
  try {
    const { size: sizeBytes } = await file.stat()
    const longest =
      endRecord.bytes + endRecord.longestComment + locator.bytes + largeEndRecord.bytes
    const tail = Buffer.alloc(Math.min(sizeBytes, longest))
    const tailStart = sizeBytes - tail.length
    await file.read(tail, 0, tail.length, tailStart)
    for (let at = tail.length - endRecord.bytes; at >= 0; at -= 1) {
      if (tail.readUInt32LE(at) !== endRecord.signature) continue
      const end = at + endRecord.bytes + tail.readUInt16LE(at + 20)
      if (end > tail.length) continue
      const start = Math.max(0, tailStart + bytesInFront(tail, at))
      return { start, end: tailStart + end, sizeBytes }
    }
    return { start: 0, end: sizeBytes, sizeBytes }
  } finally {
    await file.close()
  }
}

/** @returns relative to the start of `tail` */
function bytesInFront(tail: Buffer, at: number): number {
  const large = at - locator.bytes - largeEndRecord.bytes
  if (large >= 0 && tail.readUInt32LE(large) === largeEndRecord.signature) {
    const [bytes, offset] = [tail.readBigUInt64LE(large + 40), tail.readBigUInt64LE(large + 48)]
    return large - Number(bytes) - Number(offset)
  }
  return at - tail.readUInt32LE(at + 12) - tail.readUInt32LE(at + 16)
}
