import { expect } from 'chai'
import { bodyFigures, assertManifestLast } from './body-figures.ts'
import { shortWorkloads } from './workloads.ts'
import type { BodyRun } from './measure-bodies.ts'

describe('figures of bodies', () => {
  const [workload] = shortWorkloads
  if (workload === undefined) throw new Error('there is no workload')
  const run: BodyRun = {
    workload,
    rate: 6,
    form: { inputs: true, outputs: true },
    total: 6_000,
    ffmpeg: 5_100,
    script: 12_000,
    bare: 100,
    download: 5_000,
    upload: 4_900,
    start: 1_000,
  }

  function figure(name: string, runs: readonly BodyRun[]) {
    return bodyFigures(runs).find((each) => each.name === `${workload?.name}.6MB/s.${name}`)
  }

  it('hold the total against the script, and against the longest of download, FFmpeg and upload', () => {
    expect(figure('limit', [run])?.value).to.equal(5_000)
    expect(figure('overlapped.total', [run])).to.include({ ratio: 0.5, limit: 7_200 })
    expect(figure('overlapped.to-limit', [run])?.value).to.equal(1.2)
    expect(figure('overlapped.to-limit-without-start', [run])?.value).to.equal(1)
    expect(figure('overlapped.beside-ffmpeg', [run])?.value).to.equal(900)
  })

  it('are medians over the visits of a form, and differ by form', () => {
    const others = [7_000, 8_000].map((total) => ({ ...run, total }))
    const sequence = { ...run, total: 11_000, form: { inputs: false, outputs: false } }
    expect(figure('overlapped.total', [run, ...others, sequence])?.value).to.equal(7_000)
    expect(figure('in-sequence.total', [run, ...others, sequence])?.value).to.equal(11_000)
  })

  it('set no aim where the start outweighs the transfers', () => {
    const short = { ...run, download: 500, upload: 490 }
    expect(figure('overlapped.total', [short])).not.to.have.property('limit')
  })
})

describe('the order in which a playlist is stored', () => {
  const part = { path: '/b/0.ts', startedMs: 0, endedMs: 10 }
  const late = { path: '/b/1.ts', startedMs: 5, endedMs: 20 }
  const manifest = (startedMs: number) => ({ path: '/b/list.m3u8', startedMs, endedMs: 30 })

  it('accepts a manifest that leaves after the last segment has arrived', () => {
    assertManifestLast([part, late, manifest(20)], 2)
  })

  it('rejects a manifest that leaves before the last segment has arrived', () => {
    expect(() => assertManifestLast([part, late, manifest(19)], 2)).to.throw('1 ms before')
  })

  it('rejects a playlist without a manifest or without the segments', () => {
    expect(() => assertManifestLast([part, late], 2)).to.throw('0 manifests and 2 segments')
    expect(() => assertManifestLast([part, manifest(20)], 2)).to.throw('1 manifests and 1 segments')
  })
})
