import { expect } from 'chai'
import fc from 'fast-check'
import { containerStart } from './container-start.ts'

describe('the start of a container', () => {
  const streamed = { kind: 'streamed', seconds: null }
  const whole = { kind: 'whole' }

  it('detects an MP4 with its index in front, and its duration', () => {
    expect(containerStart(mp4([ftyp(), moov()]))).to.deep.equal({ kind: 'streamed', seconds: 90 })
    expect(containerStart(mp4([ftyp(), box('free', zeros(20)), moov()]))).to.deep.include({
      kind: 'streamed',
    })
  })

  it('requests all of the index before it returns a result', () => {
    const long = moov([track('vide', 0), box('udta', zeros(100_000))])
    const file = mp4([ftyp(), long])
    const first = containerStart(file.subarray(0, 5000))
    expect(first).to.deep.equal({ kind: 'more', bytes: ftyp().length + long.length })
    expect(containerStart(file.subarray(0, ftyp().length + long.length)).kind).to.equal('streamed')
  })

  const wholes: [string, Buffer[]][] = [
    ['the index behind the media', [ftyp(), box('mdat', zeros(9000)), moov()]],
    ['fragments', [ftyp(), moov([track('vide', 0), box('mvex', zeros(20))])]],
    ['a track that refers to another', [ftyp(), moov([track('vide', 0, box('tref', zeros(8)))])]],
    ['a track of text or time codes', [ftyp(), moov([track('vide', 0), track('tmcd', 10)])]],
    ['a picture in place of a film', [ftyp(), box('meta', zeros(40))]],
    ['tracks one after the other', [ftyp(), moov([track('vide', 0), track('soun', 50_000_000)])]],
    ['no track', [ftyp(), moov([])]],
    ['a compressed index', [ftyp(), box('moov', box('cmov', zeros(20)))]],
    ['a broken length', [ftyp(), Buffer.from('00000003aaaaaaaa', 'hex')]],
  ]
  for (const [what, parts] of wholes) {
    it(`wants all of an MP4 with ${what}`, () => {
      expect(containerStart(mp4(parts))).to.deep.equal(whole)
    })
  }

  it('requires all bytes of a transport stream', () => {
    const packets = Buffer.alloc(188 * 30)
    for (let at = 0; at < packets.length; at += 188) packets[at] = 0x47
    expect(containerStart(packets)).to.deep.equal(whole)
  })

  it('detects FLV by the start of a container', () => {
    expect(containerStart(padded(Buffer.from('FLV\u0001')))).to.deep.equal(streamed)
  })

  it('detects MP3 whose tag stands in front, and requests all of a tag with a picture', () => {
    const tag = (size: number, frame: string): Buffer =>
      Buffer.concat([
        Buffer.from([
          0x49,
          0x44,
          0x33,
          4,
          0,
          0,
          0,
          (size >> 14) & 127,
          (size >> 7) & 127,
          size & 127,
        ]),
        Buffer.from(frame),
        zeros(size - frame.length),
      ])
    const sound = Buffer.from([0xff, 0xfb, 0x90, 0])
    expect(containerStart(padded(tag(100, 'TIT2'), sound))).to.deep.equal(streamed)
    expect(containerStart(padded(tag(100, 'APIC'), sound))).to.deep.equal(whole)
    expect(containerStart(padded(tag(100, 'TIT2'), Buffer.from('fLaC')))).to.deep.equal(whole)
    expect(containerStart(padded(tag(9000, 'TIT2')).subarray(0, 4096))).to.deep.equal({
      kind: 'more',
      bytes: 9012,
    })
  })

  it('requires all bytes of an unknown format, and never fails', () => {
    expect(containerStart(padded(Buffer.from('RIFF')))).to.deep.equal(whole)
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 64, maxLength: 200 }), (bytes) => {
        const start = padded(Buffer.concat([Buffer.from('\0\0\0\u0010ftypisom\0\0\0\0'), bytes]))
        expect(['streamed', 'whole', 'more']).to.include(containerStart(start).kind)
      }),
    )
  })
})

function zeros(length: number): Buffer {
  return Buffer.alloc(length)
}

function box(type: string, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content)
  const header = Buffer.alloc(8)
  header.writeUInt32BE(body.length + 8)
  header.write(type, 4, 'latin1')
  return Buffer.concat([header, body])
}

function ftyp(): Buffer {
  return box('ftyp', Buffer.from('isom\0\0\0\0isom'))
}

/** 90 s, by a header with 1000 units a second. */
function moov(children: readonly Buffer[] = [track('vide', 100), track('soun', 5000)]): Buffer {
  const header = zeros(100)
  header.writeUInt32BE(1000, 12)
  header.writeUInt32BE(90_000, 16)
  return box('moov', box('mvhd', header), ...children)
}

function track(handler: string, firstChunk: number, ...more: Buffer[]): Buffer {
  const offsets = zeros(12)
  offsets.writeUInt32BE(1, 4)
  offsets.writeUInt32BE(firstChunk, 8)
  const kind = zeros(24)
  kind.write(handler, 8, 'latin1')
  const table = box('minf', box('stbl', box('stco', offsets)))
  return box('trak', ...more, box('mdia', box('hdlr', kind), table))
}

function mp4(parts: readonly Buffer[]): Buffer {
  return padded(...parts)
}

function padded(...parts: readonly Buffer[]): Buffer {
  return Buffer.concat([...parts, zeros(8192)])
}
