import { expect } from 'chai'
import fc from 'fast-check'
import { containerStart } from './container-start.ts'

const ids = {
  header: '1a45dfa3',
  segment: '18538067',
  directory: '114d9b74',
  entry: '4dbb',
  entryId: '53ab',
  entryPlace: '53ac',
  information: '1549a966',
  tags: '1254c367',
  cues: '1c53bb6b',
  cluster: '1f43b675',
  gap: 'ec',
} as const

describe('the start of a Matroska file', () => {
  it("returns 'streamed' when only the cues are behind the media", () => {
    expect(containerStart(file({ information: 60, cues: 9_000_000 }))).to.deep.equal({
      kind: 'streamed',
      seconds: null,
    })
  })

  it("returns 'whole' when tags are behind the media", () => {
    const tagsBehind = file({ information: 60, tags: 9_000_000 })
    expect(containerStart(tagsBehind)).to.deep.equal({ kind: 'whole' })
  })

  it("returns 'whole' when the directory is missing or far behind", () => {
    expect(containerStart(file(null))).to.deep.equal({ kind: 'whole' })
    expect(containerStart(file({ directory: 9_000_000 }))).to.deep.equal({ kind: 'whole' })
  })

  it('requests the elements before the media', () => {
    const long = file({ information: 60 }, 50_000)
    const first = containerStart(long.subarray(0, 4096))
    expect(first.kind).to.equal('more')
    expect(containerStart(long.subarray(0, first.kind === 'more' ? first.bytes : 0))).to.deep.equal(
      { kind: 'streamed', seconds: null },
    )
  })

  it('returns a verdict for any bytes after a valid header', () => {
    const begun = Buffer.from(`${ids.header}80${ids.segment}01ffffffffffffff`, 'hex')
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const start = Buffer.concat([begun, bytes, Buffer.alloc(4096)])
        expect(['streamed', 'whole', 'more']).to.include(containerStart(start).kind)
      }),
    )
  })
})

/** @param places offsets in the segment that its directory names; null = it has none */
function file(places: Partial<Record<keyof typeof ids, number>> | null, gapBytes = 100): Buffer {
  const entries = Object.entries(places ?? {}).map(([name, place]) => {
    const id = Object.entries(ids).find(([each]) => each === name)?.[1] ?? ''
    const offset = Buffer.alloc(4)
    offset.writeUInt32BE(place)
    return element(
      ids.entry,
      Buffer.concat([
        element(ids.entryId, Buffer.from(id, 'hex')),
        element(ids.entryPlace, offset),
      ]),
    )
  })
  return Buffer.concat([
    element(ids.header, Buffer.alloc(10)),
    Buffer.from(`${ids.segment}01ffffffffffffff`, 'hex'),
    ...(places === null ? [] : [element(ids.directory, Buffer.concat(entries))]),
    element(ids.information, Buffer.alloc(20)),
    element(ids.gap, Buffer.alloc(gapBytes)),
    Buffer.from(`${ids.cluster}01ffffffffffffff`, 'hex'),
    Buffer.alloc(8192),
  ])
}

/** With a length of eight bytes, as FFmpeg writes it. */
function element(id: string, content: Buffer): Buffer {
  const length = Buffer.alloc(8)
  length.writeBigUInt64BE(BigInt(content.length))
  length[0] = 1
  return Buffer.concat([Buffer.from(id, 'hex'), length, content])
}
