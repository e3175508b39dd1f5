import { expect } from 'chai'
import { errorsOf, planOf, refusalOf } from '../../../testing/support/plan-one.ts'

const analysis = '-i {{in_1}} -af silencedetect -f null -'
const none = { outputs: {} }
const folder = { outputs: 'OUTPUT_FOLDER' } as const
const message = (...args: Parameters<typeof errorsOf>) =>
  errorsOf(...args)[0]?.message ?? 'accepted'

describe('commands whose every output is the null sink', () => {
  for (const sink of ['-f null -', '-f null /dev/null', '-f null NUL', '-f null out.null']) {
    it(`null sinks need no output_files with ${sink}, alone and in a chain`, () => {
      const command = `-i {{in_1}} -af volumedetect ${sink}`
      expect(planOf(command, none).outputs).to.deep.equal([])
      expect(planOf([command, analysis], none).outputs).to.deep.equal([])
    })
  }

  it('a command may have several null sinks, and legs of tee', () => {
    expect(refusalOf('-i {{in_1}} -map 0:a -f null - -map 0:v -f null -', none)).to.equal(
      'accepted',
    )
    expect(refusalOf('-i {{in_1}} -map 0 -f tee "[f=null]-"', none)).to.equal('accepted')
  })

  it('null sinks name what to do about outputs that are declared: a log, a filter, or none', () => {
    for (const command of [analysis, [analysis, analysis]]) {
      expect(message(command)).to.match(/2> \{\{out_1\}\} .* ametadata=print:file=\{\{out_1\}\}/)
      expect(message(command)).to.contain('"output_files": {}')
    }
  })

  it('null sinks are followed by their advice without another mistake', () => {
    const outputs = { out_1: 'log.txt' }
    expect(refusalOf(`${analysis} 2> {{out_1}}`, { outputs })).to.equal('accepted')
    const filter = '-i {{in_1}} -af silencedetect,ametadata=print:file={{out_1}} -f null -'
    expect(refusalOf(filter, { outputs })).to.equal('accepted')
    expect(refusalOf(analysis, none)).to.equal('accepted')
  })

  it('null sinks would leave OUTPUT_FOLDER empty, unless they write files under names of their own', () => {
    expect(message(analysis, folder)).to.contain('send "output_files": {} and read the logs')
    for (const writing of [
      `${analysis} 2> log.txt`,
      '-i {{in_1}} -af ametadata=print:file=a.txt -f null -',
      '-i {{in_1}} -c:v libx264 -pass 1 -f null -',
      '-i {{in_1}} -f segment p%03d.ts',
    ]) {
      expect(refusalOf(writing, folder), writing).to.equal('accepted')
    }
    expect(message('-i a.mp4 -f null -', { ...folder, inputFolder: true })).to.contain('{}')
  })

  it('null sinks do not hide a file that is not declared', () => {
    expect(message('-i {{in_1}} out.mp4', none)).to.contain(
      'as "out_1": "out.mp4", and write {{out_1}}',
    )
    expect(message('-i {{in_1}} {{out_1}}', none)).to.contain('declare it in output_files')
    expect(message([analysis, '-i {{in_1}} {{out_1}}'], none)).to.contain('declare it')
    expect(message('-i {{in_1}}', none)).to.contain('or with -f null -')
    const one = { outputs: { out_1: 'a.mp4', out_2: 'b.txt' } }
    const mixed = message([analysis, '-i {{in_1}} {{out_1}}'], one)
    expect(mixed).to.contain('2> {{out_2}} behind -f null - for its log')
  })
})
