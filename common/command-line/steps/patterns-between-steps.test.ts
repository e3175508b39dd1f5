import { expect } from 'chai'
import { errorsOf, planOf } from '../../../testing/support/plan-one.ts'

const write = '-i {{in_1}} f_%03d.png'
const messages = (...[commands, changes]: Parameters<typeof errorsOf>) =>
  errorsOf(commands, changes).map(({ command, message }) => `${String(command)}: ${message}`)

describe('patterns between the commands of a chain', () => {
  const chains: [string, readonly string[]][] = [
    ['pictures', [write, '-framerate 5 -i f_%03d.png {{out_1}}']],
    ['pictures of a folder', ['-i {{in_1}} f/%03d.png', '-i f/%03d.png {{out_1}}']],
    ['segments', ['-i {{in_1}} -f segment p%03d.ts', '-i "concat:p000.ts|p001.ts" {{out_1}}']],
    ['a glob', [write, `-pattern_type glob -i 'f_*.png' {{out_1}}`]],
    [
      'a file of a filter',
      [write, '-i {{in_1}} -vf "movie=f_001.png[a];[in][a]overlay" {{out_1}}'],
    ],
    ['a leg of tee', ['-i {{in_1}} -map 0 -f tee "[f=segment]p%d.ts"', '-i p0.ts {{out_1}}']],
    ['a pattern of a pattern', [write, '-i f_%03d.png g_%03d.png', '-i g_%03d.png {{out_1}}']],
  ]
  for (const [title, commands] of chains) {
    it(`patterns between commands are read by a later one: ${title}`, () => {
      const { steps, outputs } = planOf(commands)
      expect(outputs.map(({ alias }) => alias)).to.deep.equal(['out_1'])
      expect(steps.slice(1).map(({ dependsOn }) => dependsOn.at(-1))).to.deep.equal(
        steps.slice(1).map(({ index }) => index - 1),
      )
      expect(steps.flatMap(({ writes }) => writes)).to.deep.equal(['out_1'])
    })
  }

  it('patterns between commands have their folder made before', () => {
    const [first] = planOf(['-i {{in_1}} f/%03d.png', '-i f/%03d.png {{out_1}}']).steps
    expect(first?.folders).to.deep.equal(['f'])
  })

  it('patterns between commands are read after they were written, under a name that was written', () => {
    expect(messages([write, '-i f_%04d.png {{out_1}}'])).to.deep.equal([
      "1: 'f_%04d.png' at character 4 is not a declared file; no earlier command writes this pattern; written: 'f_%03d.png'",
    ])
    const [early = ''] = messages(['-i f_%03d.png {{out_1}}', write])
    expect(early).to.match(/^0: 'f_%03d.png' .* no earlier command writes this pattern/)
    const [itself = ''] = messages(['-i f_%03d.png g_%03d.png', '-i g_%03d.png {{out_1}}'])
    expect(itself).to.match(/^0: 'f_%03d.png'/)
  })

  it('patterns between commands are refused where no later command reads them', () => {
    const [unread = '', ...more] = messages([write, '-i {{in_1}} {{out_1}}'])
    expect(unread).to.match(/^0: 'f_%03d.png' at character 13 .* no later command reads/)
    expect(more).to.deep.equal([])
    const [last = ''] = messages(['-i {{in_1}} {{out_1}}', '-i {{out_1}} f_%03d.png'])
    expect(last).to.match(/^1: 'f_%03d.png' at character 14 .* "OUTPUT_FOLDER"$/)
  })

  it('patterns are the only names without an alias: other names are declared', () => {
    const [name = ''] = messages(['-i {{in_1}} tmp.mp4', '-i tmp.mp4 {{out_1}}'])
    expect(name).to.contain('write its alias, as {{out_1}}')
    const [outside = ''] = messages(['-i {{in_1}} ../f_%03d.png', '-i ../f_%03d.png {{out_1}}'])
    expect(outside).to.match(/^0: '\.\.\/f_%03d\.png'/)
  })

  it('patterns are not offered to a single command, nor OUTPUT_FOLDER to a chain', () => {
    expect(messages(write)[0]).to.contain('set output_files to "OUTPUT_FOLDER"')
    expect(messages('-i f_%03d.png {{out_1}}')[0]).to.contain('input_compressed_folder')
    const advice = messages([write, '-i f_%04d.png {{out_1}}']).join(' ')
    expect(advice).not.to.match(/OUTPUT_FOLDER|input_compressed_folder/)
  })

  it('a file that has an alias is named by it in the message', () => {
    const outputs = { out_1: 'o.mp4', out_2: 'p.mp4' }
    for (const name of ['o.mp4', './o.mp4', 'out_1']) {
      const [message = ''] = messages(['-i {{in_1}} {{out_1}}', `-i ${name} {{out_2}}`], {
        outputs,
      })
      expect(message, name).to.match(
        /output of an earlier command; write its alias, \{\{out_1\}\}$/,
      )
    }
    const [other = ''] = messages(['-i {{in_1}} {{out_1}}', '-i q.mp4 {{out_2}}'], { outputs })
    expect(other).to.contain('declared in output_files and read as {{out_1}}')
  })
})
