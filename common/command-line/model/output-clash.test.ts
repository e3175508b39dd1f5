import { expect } from 'chai'
import { outputClashes } from './output-clash.ts'

describe('outputs', () => {
  const clashes = (outputs: Record<string, string>) => [...outputClashes(Object.entries(outputs))]

  it('outputs do not clash when their names differ', () => {
    expect(clashes({ out_1: 'a.mp4', out_2: 'A.mp4', out_playlist_1: 'a.m3u8' })).to.deep.equal([])
    expect(clashes({ out_1: 'out_playlist_1' })).to.deep.equal([])
  })

  it('outputs clash when they have one name, which the first keeps', () => {
    expect(clashes({ out_1: 'a.mp4', out_2: 'a.mp4' })).to.deep.equal([
      ['out_2', "The name 'a.mp4' is taken by out_1; each output needs its own"],
    ])
  })

  it('outputs must not have the name of the folder of a playlist, in either order', () => {
    const problem = "The name 'out_playlist_1' is taken by the folder of that playlist's files"
    const file = { out_2: 'out_playlist_1' }
    const playlist = { out_playlist_1: 'p.m3u8' }
    expect(clashes({ ...file, ...playlist })).to.deep.equal([['out_2', problem]])
    expect(clashes({ ...playlist, ...file })).to.deep.equal([['out_2', problem]])
  })
})
