import path from 'node:path'
import { expect } from 'chai'
import { judgeOverRest } from '../../testing/corpus/over-rest/judge-over-rest.ts'
import { isSubmittable } from '../../testing/corpus/over-rest/submission-of.ts'
import { readCorpus } from '../../testing/corpus/read-corpus.ts'
import { scaled } from '../../testing/scale.ts'
import { environment } from '../steps/environment.ts'
import type { Judgement } from '../../testing/corpus/over-rest/judge-over-rest.ts'

const corpus = await readCorpus(path.join(import.meta.dirname, '../../testing/corpus/commands'))
const submittable = corpus.filter(isSubmittable)
/** A few of each theme; `CORPUS='gif|text: Clock'` runs others, `CORPUS=.` all. */
const wanted = process.env['CORPUS']
const chosen = submittable.filter(({ name }, index) =>
  wanted === undefined
    ? index % scaled({ smoke: 75, full: 25 }) === 0
    : new RegExp(wanted).test(name),
)

describe('a developer pastes a command of a cheat sheet', function () {
  this.timeout(600_000)
  let judgement: Judgement | undefined
  before(async function () {
    const { client, cluster } = await environment(this)
    judgement = await judgeOverRest(chosen, {
      client,
      address: cluster.hostAddress,
      say: () => undefined,
    })
  })
  after(() => judgement?.close())

  for (const [index, { name }] of chosen.entries()) {
    it(`gets the output of a shell: ${name}`, async () => {
      expect((await judgement?.verdicts[index]?.found)?.join('\n')).to.equal('')
    })
  }
})
