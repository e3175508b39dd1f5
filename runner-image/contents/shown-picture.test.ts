import { expect } from 'chai'
import { exifOf, jpegWithExif, webpWithExif } from '../../testing/ffmpeg/compose-exif.ts'
import { clap, composeHeif, irot } from '../../testing/ffmpeg/compose-heif.ts'
import type { ComposedHeif } from '../../testing/ffmpeg/compose-heif.ts'
import { heifItem } from './heif-item.ts'
import { readingBytes } from './read-bytes.ts'
import { shownPicture } from './shown-picture.ts'

/** SOI, APP0, and the beginning of a scan. */
const jpeg = Buffer.from('ffd8ffe000104a46494600010100000100010000ffda', 'hex')
const webp = Buffer.from('RIFF\0\0\0\0WEBPVP8 \u0004\0\0\0data', 'latin1')
const picture = { configuration: Buffer.from('\0\0\0\u0009av1C\u0001'), bytes: Buffer.from('x') }
const grid: ComposedHeif = {
  brand: 'heic',
  pictures: Array.from({ length: 4 }, () => picture),
  columns: 2,
  tile: [512, 512],
  size: [1000, 700],
}

describe('the size at which a picture is shown', () => {
  const table: [what: string, bytes: Buffer, expected: ReturnType<typeof shownPicture>][] = [
    ['a JPEG without Exif', jpeg, { format: 'jpg', size: null, isTurned: false, frameMs: [] }],
    ['a JPEG upside down', jpegWithExif(jpeg, exifOf(3)), jpg(false)],
    ['a JPEG turned right', jpegWithExif(jpeg, exifOf(6)), jpg(true)],
    ['a JPEG turned left, little-endian', jpegWithExif(jpeg, exifOf(8, 'II')), jpg(true)],
    ['a JPEG with an orientation that does not exist', jpegWithExif(jpeg, exifOf(9)), jpg(false)],
    [
      'a TIFF turned right',
      exifOf(6, 'II'),
      { format: 'tiff', size: null, isTurned: true, frameMs: [] },
    ],
    [
      'a WebP of the simple format',
      webp,
      { format: 'webp', size: null, isTurned: false, frameMs: [] },
    ],
    [
      'a WebP turned and mirrored',
      webpWithExif(webp, exifOf(7), 300, 200),
      { format: 'webp', size: { width: 300, height: 200 }, isTurned: true, frameMs: [] },
    ],
    [
      'a WebP whose Exif has the header of a JPEG',
      webpWithExif(webp, Buffer.concat([Buffer.from('Exif\0\0'), exifOf(6)]), 300, 200),
      { format: 'webp', size: { width: 300, height: 200 }, isTurned: true, frameMs: [] },
    ],
    ['a HEIC of tiles', composeHeif(grid), heic(1000, 700)],
    ['one turned by a quarter', composeHeif({ ...grid, changes: [irot(1)] }), heic(700, 1000)],
    ['one upside down', composeHeif({ ...grid, changes: [irot(2)] }), heic(1000, 700)],
    [
      'one that is cropped, then turned',
      composeHeif({ ...grid, changes: [clap(400, 300), irot(3)] }),
      heic(300, 400),
    ],
    [
      'one that is turned, then cropped',
      composeHeif({ ...grid, changes: [irot(3), clap(400, 300)] }),
      heic(400, 300),
    ],
    [
      'one that is cropped beyond itself',
      composeHeif({ ...grid, changes: [clap(2000, 9)] }),
      heic(1000, 700),
    ],
    ['a text', Buffer.from('{"error": 404}'), null],
    ['an empty file', Buffer.alloc(0), null],
  ]
  for (const [what, bytes, expected] of table) {
    it(`shownPicture reads ${what}`, () => {
      expect(shownPicture(readingBytes(bytes))).to.deep.equal(expected)
    })
  }

  it('the size of a picture is read from files that are cut off or changed anywhere, without an error', () => {
    const files = [
      jpegWithExif(jpeg, exifOf(6)),
      webpWithExif(webp, exifOf(6), 300, 200),
      composeHeif({ ...grid, changes: [clap(400, 300), irot(3)] }),
    ]
    for (const file of files) {
      for (let at = 0; at < file.length; at++) {
        const changed = Buffer.from(file)
        changed[at] = 0xff - (changed[at] ?? 0)
        for (const bytes of [file.subarray(0, at), changed]) {
          shownPicture(readingBytes(bytes))
          heifItem(readingBytes(bytes))
        }
      }
    }
  })
})

function jpg(isTurned: boolean) {
  return { format: 'jpg', size: null, isTurned, frameMs: [] }
}

function heic(width: number, height: number) {
  return { format: 'heic', size: { width, height }, isTurned: false, frameMs: [] }
}
