import { expect } from 'chai'
import { assertManifestLast } from './manifest-order.ts'

describe('the order in which a playlist is stored', () => {
  const part = { path: '/b/0.ts', startedMs: 0, endedMs: 10 }
  const late = { path: '/b/1.ts', startedMs: 5, endedMs: 20 }
  const manifest = (startedMs: number) => ({ path: '/b/list.m3u8', startedMs, endedMs: 30 })

  it('is right where the manifest leaves after the last segment has arrived', () => {
    assertManifestLast([part, late, manifest(20)], 2)
  })

  it('is wrong where the manifest leaves before, whenever it arrives', () => {
    expect(() => assertManifestLast([part, late, manifest(19)], 2)).to.throw('1 ms before')
  })

  it('is no order at all without a manifest or without the segments', () => {
    expect(() => assertManifestLast([part, late], 2)).to.throw('0 manifests and 2 segments')
    expect(() => assertManifestLast([part, manifest(20)], 2)).to.throw('1 manifests and 1 segments')
  })
})
