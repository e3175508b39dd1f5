import { crc32, deflateSync, inflateSync } from 'node:zlib'

/** A PNG in one colour. */
export function plainPng(width: number, height: number): Buffer {
  const row = Buffer.concat([
    Buffer.from([0]),
    ...Array.from({ length: width }, () => Buffer.from([10, 95, 196])),
  ])
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  return pngOf(header, Buffer.concat(Array.from({ length: height }, () => row)))
}

/**
 * The same picture with rows as they are in place of differences between them: of text on one colour,
 * equal rows compress better.
 */
export function compressedPng(png: Buffer): Buffer {
  const chunks = chunksOf(png)
  const header = Buffer.concat(chunks.filter(({ type }) => type === 'IHDR').map(({ body }) => body))
  const data = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ body }) => body))
  const samples = header[9] === 6 ? 4 : 3
  return pngOf(header, plainRows(inflateSync(data), header.readUInt32BE(0) * samples, samples))
}

function chunksOf(png: Buffer): { type: string; body: Buffer }[] {
  const found = []
  for (let at = signature.length; at < png.length;) {
    const length = png.readUInt32BE(at)
    const type = png.toString('latin1', at + 4, at + 8)
    found.push({ type, body: png.subarray(at + 8, at + 8 + length) })
    at += length + 12
  }
  return found
}

/** Undoes the filters of the PNG specification, section 9. @param bytes of a row */
function plainRows(filtered: Buffer, bytes: number, samples: number): Buffer {
  const rows = Buffer.alloc(filtered.length)
  for (let row = 0; row < filtered.length; row += bytes + 1) {
    for (let at = row + 1; at <= row + bytes; at += 1) {
      const hasLeft = at - samples > row
      const left = hasLeft ? (rows[at - samples] ?? 0) : 0
      const above = rows[at - bytes - 1] ?? 0
      const corner = hasLeft ? (rows[at - samples - bytes - 1] ?? 0) : 0
      const expected = expectedOf(filtered[row] ?? 0, left, above, corner)
      rows[at] = (filtered[at] ?? 0) + expected
    }
  }
  return rows
}

function expectedOf(filter: number, left: number, above: number, corner: number): number {
  switch (filter) {
    case 1:
      return left
    case 2:
      return above
    case 3:
      return Math.floor((left + above) / 2)
    case 4: {
      const [toLeft, toAbove] = [Math.abs(above - corner), Math.abs(left - corner)]
      const toCorner = Math.abs(left + above - 2 * corner)
      if (toLeft <= toAbove && toLeft <= toCorner) return left
      return toAbove <= toCorner ? above : corner
    }
    default:
      return 0
  }
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

function pngOf(header: Buffer, rows: Buffer): Buffer {
  const data = deflateSync(rows, { level: 9, memLevel: 9 })
  const chunks = [chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([signature, ...chunks])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}
