import { expect } from 'chai'
import fc from 'fast-check'
import { containerStart } from './container-start.ts'
import { longestStart } from './start.ts'

const whole = { kind: 'whole' }
/** Limit for boxes and elements together; a regular file has some ten. */
const mostReads = 20_000

describe('the start of a container that is made to harm its reader', () => {
  const film = (...index: Buffer[]): Buffer =>
    Buffer.concat([box('ftyp', Buffer.from('isom\0\0\0\0')), box('moov', ...index)])
  const header = box('mvhd', Buffer.alloc(100))
  const padding = box('udta', Buffer.alloc(5000))
  const kind = box('hdlr', Buffer.from('\0\0\0\0\0\0\0\0vide'))
  const track = (table: Buffer): Buffer =>
    box('trak', box('mdia', kind, box('minf', box('stbl', table))))
  const table = box('stco', Buffer.alloc(12))

  const beyond: [string, Buffer][] = [
    ['a table of chunks', film(header, padding, track(claiming(100, 'stco')))],
    ['a table of far chunks', film(header, padding, track(claiming(100, 'co64')))],
    ['a header', film(padding, track(table), claiming(108, 'mvhd'))],
    ['a handler', film(header, padding, box('trak', box('mdia', claiming(100, 'hdlr'))))],
    ['a track', film(header, padding, track(table), claiming(100, 'trak'))],
    ['a box of no length', film(header, padding, track(table), claiming(0, 'free'))],
  ]
  for (const [what, file] of beyond) {
    it(`the search for the start does not fail when ${what} continues after the end of the index`, () => {
      expect(containerStart(file)).to.deep.equal(whole)
    })
  }

  const millions = 1024 * 1024
  const floods: [string, Buffer][] = [
    ['boxes in an index', film(header, repeated(box('free'), millions))],
    ['tracks', film(header, repeated(box('trak'), millions))],
    ['boxes in a track', film(header, box('trak', repeated(box('free'), millions)))],
    ['boxes before the index', Buffer.concat([film(), repeated(box('free'), millions)])],
    ['elements', matroska(repeated(Buffer.from('ec80', 'hex'), millions))],
    [
      'elements in a directory',
      matroska(element('114d9b74', repeated(Buffer.from('ec80', 'hex'), millions))),
    ],
    ['directories', matroska(repeated(Buffer.from('114d9b7480', 'hex'), millions))],
  ]
  for (const [what, file] of floods) {
    it(`the search for the start is given up after some thousand of a million ${what}`, () => {
      const counted = countingReads(Buffer.concat([file, Buffer.alloc(64)]))
      expect(containerStart(counted.bytes)).to.deep.equal(whole)
      expect(counted.reads()).to.be.below(mostReads)
    })
  }

  it('the search for the start does not wait when it declares more than is read ahead', () => {
    const claims = [
      matroska(element('114d9b74', Buffer.alloc(5000), 300_000_000)),
      Buffer.concat([film(), claiming(300_000_000, 'moov'), Buffer.alloc(5000)]),
      Buffer.concat([Buffer.from('ID3\u0004\0\0\x7f\x7f\x7f\x7fTIT2'), Buffer.alloc(5000)]),
    ]
    for (const claim of claims) expect(containerStart(claim)).to.deep.equal(whole)
  })

  it('returns a verdict for a valid start in which any bytes have changed', () => {
    const honest = [
      film(header, padding, track(table)),
      matroska(element('114d9b74', element('4dbb', element('53ab', Buffer.alloc(4))))),
      Buffer.concat([Buffer.from('ID3\u0004\0\0\0\0\0\x7fTIT2'), Buffer.alloc(5000)]),
    ]
    const change = fc.record({ at: fc.nat(400), to: fc.oneof(fc.constant(255), fc.nat(255)) })
    fc.assert(
      fc.property(fc.constantFrom(...honest), fc.array(change, { maxLength: 12 }), (file, all) => {
        const bytes = Buffer.from(file)
        // The bytes that matter lie at both ends, around the padding.
        for (const { at, to } of all) bytes[at < 200 ? at : bytes.length + at - 400] = to
        const start = containerStart(bytes)
        const requested = start.kind === 'more' ? start.bytes : bytes.length + 1
        expect(requested).to.be.within(bytes.length + 1, Math.max(longestStart, bytes.length + 1))
      }),
      { numRuns: 2000 },
    )
  })
})

function box(type: string, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content)
  return Buffer.concat([claiming(body.length + 8, type), body])
}

/** The header of a box, with any contents. */
function claiming(size: number, type: string): Buffer {
  const header = Buffer.alloc(8)
  header.writeUInt32BE(size)
  header.write(type, 4, 'latin1')
  return header
}

function matroska(...elements: Buffer[]): Buffer {
  const begun = Buffer.from('1a45dfa380' + '1853806701ffffffffffffff', 'hex')
  return Buffer.concat([begun, ...elements, Buffer.alloc(8192)])
}

function element(id: string, content: Buffer, size = content.length): Buffer {
  const length = Buffer.alloc(8)
  length.writeBigUInt64BE(BigInt(size))
  length[0] = 1
  return Buffer.concat([Buffer.from(id, 'hex'), length, content])
}

function repeated(piece: Buffer, times: number): Buffer {
  return Buffer.alloc(piece.length * times, piece)
}

/** Each box is read by its length, each element by pieces of the file. */
function countingReads(bytes: Buffer): { bytes: Buffer; reads: () => number } {
  let reads = 0
  const readNumber = bytes.readUInt32BE.bind(bytes)
  const cut = bytes.subarray.bind(bytes)
  return {
    bytes: Object.assign(bytes, {
      readUInt32BE(offset?: number) {
        reads++
        return readNumber(offset)
      },
      subarray(from?: number, to?: number) {
        reads++
        return cut(from, to)
      },
    }),
    reads: () => reads,
  }
}
