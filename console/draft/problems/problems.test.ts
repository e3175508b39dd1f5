import { expect } from 'chai'
import fc from 'fast-check'
import { sourceMistakes } from '../../../common/command-line/plan/source-mistakes.ts'
import { emptyDraft } from '../draft.ts'
import { fieldOf, marksOf, problemOf, warningOf } from './problems.ts'
import { sourceOf } from './source-of.ts'
import type { ValidationMistake } from '../../../common/openapi/openapi-types.ts'
import type { Draft } from '../draft.ts'
import type { Problem } from './problems.ts'

const draftOf = (...commands: string[]): Draft => ({ ...emptyDraft, commands })
const mistake = (change: Partial<ValidationMistake>): ValidationMistake => ({
  loc: ['body', 'ffmpeg_command'],
  msg: 'x',
  type: 'command_alias',
  ...change,
})

describe('problems', () => {
  const of = (draft: Draft) =>
    sourceMistakes(sourceOf(draft), draft.commands.length > 1).map((one) => problemOf(one, draft))

  it('problems stand at the token of the command, with what mends them', () => {
    const draft = draftOf('-i {{in_1}} -i {{in_2}} {{out_1}}')
    const [problem] = of(draft)
    expect(problem).to.deep.include({
      field: { kind: 'command', index: 0 },
      at: { from: 15, to: 23 },
      remedy: { kind: 'declare', alias: 'in_2' },
    })
    expect(marksOf(of(draft), 0)).to.deep.equal([{ from: 15, to: 23, tone: 'bad' }])
  })

  it('problems name the command of a chain', () => {
    const problems = of(draftOf('-i {{in_1}} {{out_1}}', '-i {{IN_1}} {{out_1}}'))
    expect(problems[0]).to.deep.include({
      field: { kind: 'command', index: 1 },
      remedy: null,
    })
    const [twisted] = of(draftOf('-i {{in_1}} {{out_A}}'))
    expect(twisted?.remedy).to.deep.equal({ kind: 'declare', alias: 'out_A' })
  })

  it('problems belong to the field that the service names', () => {
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

describe('problemOf', () => {
  it('problemOf places a token by characters, in the command of a chain that the mistake names', () => {
    const commands = ['first', '😀 -i {{in_9}} x']
    const problem = problemOf(
      mistake({ loc: ['body', 'ffmpeg_commands', '1'], ctx: { token: '{{in_9}}', position: 6 } }),
      { ...emptyDraft, commands },
    )
    expect(problem.field).to.deep.equal({ kind: 'command', index: 1 })
    expect(commands[1]?.slice(problem.at?.from, problem.at?.to)).to.equal('{{in_9}}')
  })

  it('problemOf has no place when the mistake names none, or only a token', () => {
    for (const ctx of [undefined, { token: 'a', position: null }, { token: null, position: 1 }]) {
      expect(problemOf(mistake(ctx === undefined ? {} : { ctx }), emptyDraft).at).to.equal(null)
    }
  })

  it('problemOf offers the alias that was meant, or the declaration of one that nothing resembles', () => {
    const remedy = (msg: string, type: ValidationMistake['type'] = 'command_alias') =>
      problemOf(mistake({ msg, type }), emptyDraft).remedy
    expect(remedy("Unknown alias 'in_l' in '{{in_l}}'; did you mean 'in_1'?")).to.deep.equal({
      kind: 'replace',
      by: '{{in_1}}',
    })
    expect(remedy("Unknown alias 'out_x' in '{{out_x}}'")).to.deep.equal({
      kind: 'declare',
      alias: 'out_x',
    })
    expect(remedy("Unknown alias 'film' in '{{film}}'"), 'neither an input nor an output').to.equal(
      null,
    )
    expect(remedy("Unknown alias 'in_2'", 'value_error'), 'another kind of mistake').to.equal(null)
  })

  it('fieldOf returns the whole draft when the field of a mistake has no place on the page', () => {
    for (const loc of [
      ['body'],
      [],
      ['body', 'input_files'],
      ['body', 'output_files'],
      ['body', 'ffmpeg_commands'],
    ]) {
      expect(fieldOf(loc), loc.join('.')).to.deep.equal({ kind: 'whole' })
    }
    expect(fieldOf(['body', 'input_compressed_folder'])).to.deep.equal({ kind: 'zip' })
  })
})

describe('warnings', () => {
  it('warnings mark a misspelt filter, which one click replaces', () => {
    const draft = draftOf('-i {{in_1}} -vf scal=-2:480 {{out_1}}')
    expect(warningOf("FFmpeg has no filter 'scal'; did you mean 'scale'?", draft)).to.deep.include({
      tone: 'warning',
      at: { from: 16, to: 20 },
      remedy: { kind: 'replace', by: 'scale' },
    })
  })

  it('warnings mark an encoder that FFmpeg lacks', () => {
    const text = "FFmpeg has no encoder 'h265'; use 'libx265'"
    expect(warningOf(text, draftOf('-i {{in_1}} -c:v h265 {{out_1}}'))).to.deep.include({
      at: { from: 17, to: 21 },
      remedy: { kind: 'replace', by: 'libx265' },
    })
  })

  it('warnings stand at the option that the plan lowers', () => {
    expect(
      warningOf("vcpu_count 8 is lowered to 4 on plan 'free'", draftOf('')).field,
    ).to.deep.equal({ kind: 'option', name: 'vcpu_count' })
  })
})

describe('warningOf', () => {
  it('warningOf returns the command that a warning names, or the first', () => {
    const draft = { ...emptyDraft, commands: ['-y', 'x', '-y'] }
    expect(warningOf('-y in command 2 is left out', draft).field).to.deep.equal({
      kind: 'command',
      index: 2,
    })
    expect(warningOf('-y is left out', draft).field).to.deep.equal({ kind: 'command', index: 0 })
  })

  it('warningOf has no remedy when the command has the wrong name twice, or no advice was given', () => {
    const twice = { ...emptyDraft, commands: ['-vf scal=1:1,scal=2:2'] }
    const advised = "FFmpeg has no filter 'scal'; did you mean 'scale'?"
    expect(warningOf(advised, twice)).to.include({ at: null, remedy: null })
    const once = { ...emptyDraft, commands: ['-vf scal=1:1'] }
    const warning = warningOf("FFmpeg has no filter 'scal'", once)
    expect(warning.remedy).to.equal(null)
    expect(warning.at, 'it is marked nevertheless').to.deep.equal({ from: 4, to: 8 })
  })

  it('warningOf marks a name exactly when the command has it once, for any words', () => {
    const word = fc.string({
      unit: fc.constantFrom('a', 'b', '_', '1'),
      minLength: 1,
      maxLength: 3,
    })
    const words = fc.array(word, { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(words, fc.nat(5), (all, nth) => {
        const name = all[nth % all.length] ?? ''
        const command = `-vf 😀 ${all.join(',')}`
        const { at } = warningOf(`FFmpeg has no filter '${name}'`, {
          ...emptyDraft,
          commands: [command],
        })
        const isOnce = all.filter((one) => one === name).length === 1
        expect(at === null ? null : command.slice(at.from, at.to)).to.equal(isOnce ? name : null)
      }),
    )
  })
})

describe('marks of a command', () => {
  const at = { from: 1, to: 3 }
  const problem: Problem = {
    tone: 'bad',
    field: { kind: 'command', index: 1 },
    text: 'x',
    at,
    remedy: null,
  }

  it('marksOf returns the marks of problems of one command that have a place', () => {
    const others: Problem[] = [
      { ...problem, field: { kind: 'command', index: 0 } },
      { ...problem, field: { kind: 'option', name: 'a' } },
      { ...problem, at: null },
    ]
    expect(marksOf([...others, problem, { ...problem, tone: 'warning' }], 1)).to.deep.equal([
      { ...at, tone: 'bad' },
      { ...at, tone: 'warning' },
    ])
  })
})
