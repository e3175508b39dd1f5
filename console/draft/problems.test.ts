import { expect } from 'chai'
import { sourceMistakes } from '../../common/command-line/plan/source-mistakes.ts'
import { emptyDraft } from './draft.ts'
import { fieldOf, marksOf, problemOf, warningOf } from './problems.ts'
import { sourceOf } from './source-of.ts'
import type { Draft } from './draft.ts'

const draftOf = (...commands: string[]): Draft => ({ ...emptyDraft, commands })

describe('problems', () => {
  const of = (draft: Draft) =>
    sourceMistakes(sourceOf(draft), draft.commands.length > 1).map((one) => problemOf(one, draft))

  it('stand at the token of the command, with what mends them', () => {
    const draft = draftOf('-i {{in_1}} -i {{in_2}} {{out_1}}')
    const [problem] = of(draft)
    expect(problem).to.deep.include({
      field: { kind: 'command', index: 0 },
      at: { from: 15, to: 23 },
      remedy: { kind: 'declare', alias: 'in_2' },
    })
    expect(marksOf(of(draft), 0)).to.deep.equal([{ from: 15, to: 23, tone: 'bad' }])
  })

  it('name the command of a chain', () => {
    const problems = of(draftOf('-i {{in_1}} {{out_1}}', '-i {{IN_1}} {{out_1}}'))
    expect(problems[0]).to.deep.include({
      field: { kind: 'command', index: 1 },
      remedy: null,
    })
    const [twisted] = of(draftOf('-i {{in_1}} {{out_A}}'))
    expect(twisted?.remedy).to.deep.equal({ kind: 'declare', alias: 'out_A' })
  })

  it('belong to the field that the service names', () => {
    expect(
      [
        ['body', 'input_files', 'in_1'],
        ['body', 'output_files', 'out_1'],
        ['body', 'vcpu_count'],
        ['body', 'metadata', 'a'],
        ['body', 'ffmpeg_commands'],
        ['body'],
      ].map(fieldOf),
    ).to.deep.equal([
      { kind: 'input', alias: 'in_1' },
      { kind: 'output', alias: 'out_1' },
      { kind: 'option', name: 'vcpu_count' },
      { kind: 'option', name: 'metadata' },
      { kind: 'whole' },
      { kind: 'whole' },
    ])
  })
})

describe('warnings', () => {
  it('mark a misspelt filter, which one click replaces', () => {
    const draft = draftOf('-i {{in_1}} -vf scal=-2:480 {{out_1}}')
    expect(warningOf("FFmpeg has no filter 'scal'; did you mean 'scale'?", draft)).to.deep.include({
      tone: 'warning',
      at: { from: 16, to: 20 },
      remedy: { kind: 'replace', by: 'scale' },
    })
  })

  it('mark an encoder that FFmpeg lacks', () => {
    const text = "FFmpeg has no encoder 'h265'; did you mean 'libx265'?"
    expect(warningOf(text, draftOf('-i {{in_1}} -c:v h265 {{out_1}}'))).to.deep.include({
      at: { from: 17, to: 21 },
      remedy: { kind: 'replace', by: 'libx265' },
    })
  })

  it('stand at the option that the plan lowers', () => {
    expect(
      warningOf("vcpu_count 8 is lowered to 4 on plan 'free'", draftOf('')).field,
    ).to.deep.equal({ kind: 'option', name: 'vcpu_count' })
  })
})
