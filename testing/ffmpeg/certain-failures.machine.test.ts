import { expect } from 'chai'
import { errorsOf } from '../support/plan-one.ts'
import { useSupervised } from './runner/use-runner.ts'

/** Options between the only input and the output; what FFmpeg says of them. */
const refused: readonly [string, string][] = [
  ['-map 1:a', 'Invalid input file index: 1'],
  ['-map 1:a?', 'Invalid input file index: 1'],
  ['-map 0 -map -1:a', 'Invalid input file index: 1'],
  ['-map_metadata 1', 'Invalid input file index 1 while processing metadata maps'],
  ['-map_chapters 1', 'Invalid input file index 1 in chapter mapping'],
  ['-filter_complex [0:v][1:v]overlay', 'Invalid file index 1 in filtergraph'],
  ['-c copy -vf hflip', 'Filtering and streamcopy cannot be used together'],
  ['-c:v libx264 -c copy -vf hflip', 'Filtering and streamcopy cannot be used together'],
  ['-c:a copy -af volume=2', 'Filtering and streamcopy cannot be used together'],
  ['-c copy -filter hflip -an', 'Filtering and streamcopy cannot be used together'],
  [
    '-filter_complex [0:v]hflip[v] -map [v] -c:v copy',
    'Filtering and streamcopy cannot be used together',
  ],
  ['-vf scale=‘64’:-2', 'Cannot parse expression for width'],
  ['-lavfi libvmaf', "No such filter: 'libvmaf'"],
  ['-af whisper', "No such filter: 'whisper'"],
]

describe('what is refused at submission for certain', () => {
  const supervised = useSupervised()
  before(async () => {
    const sources = ['testsrc2=d=1:s=64x48:r=5', 'sine=d=1'].flatMap((source) => [
      '-f',
      'lavfi',
      '-i',
      source,
    ])
    const { code } = await supervised.run([...sources, '-c:v', 'libx264', 'in.mp4'])
    expect(code).to.equal(0)
  })

  for (const [options, words] of refused) {
    it(`FFmpeg refuses too: ${options}`, async () => {
      const { code, tail } = await supervised.run([
        '-y',
        '-loglevel',
        'level+info',
        '-i',
        'in.mp4',
        ...options.split(' '),
        'out.mp4',
      ])
      expect(code).not.to.equal(0)
      expect(tail).to.contain(words)
      const command = `-i {{in_1}} ${options} {{out_1}}`
      expect(errorsOf(command, { inputAliases: ['in_1'] })).to.have.length(1)
    })
  }
})
