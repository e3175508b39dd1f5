import { expect } from 'chai'
import { bodyFigures } from './body-figures.ts'
import type { BodyRun } from './measure-bodies.ts'
import { shortWorkloads } from './workloads.ts'

describe('figures of bodies', () => {
  const [workload] = shortWorkloads
  if (workload === undefined) throw new Error('there is no workload')
  const run: BodyRun = {
    ...{ workload, rate: 6, form: { inputs: true, outputs: true } },
    ...{ total: 6_000, ffmpeg: 5_100, script: 12_000, bare: 100 },
    ...{ download: 5_000, upload: 4_900, start: 1_000 },
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

  it('are medians over the visits of a form, and forms are told apart', () => {
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
