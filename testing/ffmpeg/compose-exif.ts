/** Exif data without its header: the one entry that turns a picture, 1 to 8. */
export function exifOf(orientation: number, order: 'II' | 'MM' = 'MM'): Buffer {
  const entry = [0x0112, 3, 1, orientation]
  const bytes = Buffer.alloc(26)
  const little = order === 'II'
  const u16 = (value: number, at: number) =>
    little ? bytes.writeUInt16LE(value, at) : bytes.writeUInt16BE(value, at)
  const u32 = (value: number, at: number) =>
    little ? bytes.writeUInt32LE(value, at) : bytes.writeUInt32BE(value, at)
  const [tag = 0, type = 0, count = 0, value = 0] = entry
  bytes.write(order)
  u16(42, 2)
  u32(8, 4)
  u16(1, 8)
  u16(tag, 10)
  u16(type, 12)
  u32(count, 14)
  u16(value, 18)
  return bytes
}

/** @param jpeg as FFmpeg writes it, whose first segment stays the first */
export function jpegWithExif(jpeg: Buffer, exif: Buffer): Buffer {
  const behind = 4 + jpeg.readUInt16BE(4)
  const content = Buffer.concat([Buffer.from('Exif\0\0'), exif])
  const head = Buffer.from([0xff, 0xe1, 0, 0])
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([jpeg.subarray(0, behind), head, content, jpeg.subarray(behind)])
}

/** @param webp of the simple format; becomes one of the extended format, with its Exif at the end */
export function webpWithExif(webp: Buffer, exif: Buffer, width: number, height: number): Buffer {
  const head = Buffer.alloc(10)
  head[0] = 0x08
  head.writeUIntLE(width - 1, 4, 3)
  head.writeUIntLE(height - 1, 7, 3)
  const chunks = Buffer.concat([chunk('VP8X', head), webp.subarray(12), chunk('EXIF', exif)])
  const start = Buffer.from('RIFF\0\0\0\0WEBP')
  start.writeUInt32LE(chunks.length + 4, 4)
  return Buffer.concat([start, chunks])
}

function chunk(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.write(type)
  head.writeUInt32LE(content.length, 4)
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)])
}
