import { expect } from 'chai'
import { columns, waveformPath } from './waveform-path.ts'

describe('waveformPath', () => {
  const heights = (path: string) =>
    [...path.matchAll(/M[\d.]+ ([\d.]+)V([\d.]+)/g)].map(
      ([, top, end]) => Number(end) - Number(top),
    )

  it('shows the loudest sample of each column, of whichever channel', () => {
    const left = new Float32Array(columns * 10)
    const right = new Float32Array(columns * 10)
    left[15] = 0.5
    right[18] = -1
    left[columns * 10 - 1] = 0.25
    const shown = heights(waveformPath([left, right]))
    expect(shown).to.have.length(columns)
    expect([shown[0], shown[1], shown[2], shown.at(-1)]).to.deep.equal([1, 100, 1, 25])
  })

  it('draws a line for silence, for fewer samples than columns, and for none', () => {
    expect(new Set(heights(waveformPath([])))).to.deep.equal(new Set([1]))
    expect(heights(waveformPath([new Float32Array([1, 0.5])])).every((one) => one > 0)).to.equal(
      true,
    )
  })
})
