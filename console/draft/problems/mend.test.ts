import { expect } from 'chai'
import { sourceMistakes } from '../../../common/command-line/plan/source-mistakes.ts'
import { aDraft } from '../any-draft.fixture.ts'
import { emptyDraft } from '../draft.ts'
import { mended, placeOf, withAlias } from './mend.ts'
import { problemOf, warningOf } from './problems.ts'
import { sourceOf } from './source-of.ts'
import type { Draft } from '../draft.ts'
import type { Problem } from './problems.ts'

const problemsIn = (draft: Draft) =>
  sourceMistakes(sourceOf(draft), draft.commands.length > 1).map((one) => problemOf(one, draft))

/** The draft after its first problem was mended by one click. */
const clicked = (draft: Draft, problem: Problem | undefined) => {
  if (problem?.remedy === undefined || problem.remedy === null) throw new Error('no remedy')
  return mended(draft, problem, problem.remedy)
}

describe('mended', () => {
  it('declares the alias that a command names, after which its problem is gone', () => {
    for (const [text, alias] of [
      ['-i {{in_1}} -i {{in_film}} {{out_1}}', 'in_film'],
      ['-i {{in_1}} {{out_1}} {{out_small}}', 'out_small'],
    ] as const) {
      const draft = aDraft({ commands: [text] })
      const [problem] = problemsIn(draft)
      expect(problem?.remedy, text).to.deep.equal({ kind: 'declare', alias })
      const after = clicked(draft, problem)
      expect(after?.place, text).to.equal(null)
      expect(problemsIn(after?.draft ?? draft), text).to.deep.equal([])
    }
  })

  it('writes what was meant in place of the mistake alone, and selects it', () => {
    const text = '-i {{in_1}} -vf scal=2:2,scal2ref {{out_1}}'
    const draft = aDraft({ commands: ['first', text] })
    const warning = "FFmpeg has no filter 'scal' in command 1; did you mean 'scale'?"
    const after = clicked(draft, warningOf(warning, draft))
    expect(after?.draft.commands).to.deep.equal(['first', text.replace('scal=', 'scale=')])
    expect(after?.place).to.deep.equal({ index: 1, from: 16, to: 21 })
  })

  it('replaces by UTF-16 offsets when characters outside of the basic plane stand before the mistake', () => {
    const draft = aDraft({ commands: ['-metadata t=😀 -vf scal=2:2 {{out_1}}'] })
    const warning = "FFmpeg has no filter 'scal'; did you mean 'scale'?"
    expect(clicked(draft, warningOf(warning, draft))?.draft.commands).to.deep.equal([
      '-metadata t=😀 -vf scale=2:2 {{out_1}}',
    ])
  })

  it('mended returns null when a replacement has no place', () => {
    const problem: Problem = {
      tone: 'bad',
      field: { kind: 'whole' },
      text: 'x',
      at: { from: 0, to: 1 },
      remedy: null,
    }
    expect(placeOf(problem)).to.equal(null)
    expect(mended(emptyDraft, problem, { kind: 'replace', by: 'y' })).to.equal(null)
    const placeless: Problem = { ...problem, field: { kind: 'command', index: 0 }, at: null }
    expect(mended(emptyDraft, placeless, { kind: 'replace', by: 'y' })).to.equal(null)
  })
})

describe('withAlias', () => {
  it('withAlias adds an input without a file, and removes the archive', () => {
    const draft = withAlias(aDraft({ zip: 'https://media.example/a.zip' }), 'in_2')
    expect(draft.zip).to.equal(null)
    expect(draft.inputs.at(-1)).to.deep.equal({ alias: 'in_2', url: '', file: null, hint: null })
  })

  it('withAlias adds an output whose name fits its alias, in place of a zip of all files too', () => {
    expect(withAlias(aDraft({ outputs: null }), 'out_2').outputs).to.deep.equal([
      { alias: 'out_2', name: 'out_2.mp4' },
    ])
    expect(withAlias(aDraft(), 'out_playlist_hd').outputs?.at(-1)).to.deep.equal({
      alias: 'out_playlist_hd',
      name: 'out_playlist_hd.m3u8',
    })
  })
})
