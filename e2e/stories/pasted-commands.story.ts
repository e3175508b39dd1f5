import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { clusterSettings } from '../cluster/host/settings.ts'
import { readCorpus } from '../../testing/corpus/read-corpus.ts'
import { judgeAll } from '../../testing/corpus/over-rest/judge-all.ts'
import type { Verdict } from '../../testing/corpus/over-rest/judge-all.ts'
import { isSubmittable } from '../../testing/corpus/over-rest/submission-of.ts'
import { prepareSamples } from '../../testing/corpus/over-rest/prepare-samples.ts'
import { scaled } from '../../testing/scale.ts'
import { runnerRoot } from '../installation/build-runner.ts'
import { environment } from '../steps/environment.ts'
import { startOrigin } from '../steps/origin.ts'

const corpus = await readCorpus(path.join(import.meta.dirname, '../../testing/corpus/commands'))
const submittable = corpus.filter(isSubmittable)
/** A few of each theme; `CORPUS='gif|text: Clock'` runs others, `CORPUS=.` all. */
const wanted = process.env['CORPUS']
const chosen = submittable.filter(({ theme, title }, index) =>
  wanted === undefined
    ? index % scaled({ smoke: 75, full: 25 }) === 0
    : new RegExp(wanted).test(`${theme}: ${title}`),
)

describe('a developer pastes a command of a cheat sheet', function () {
  this.timeout(600_000)
  const verdicts = new Map<string, Verdict>()
  let folder = ''
  before(async function () {
    const env = await environment(this)
    folder = await mkdtemp(path.join(tmpdir(), 'pasted-'))
    const root = await runnerRoot({ settings: clusterSettings(process.env), say: () => undefined })
    const samples = await prepareSamples(root, path.join(folder, 'samples'))
    const origin = await startOrigin({ address: env.cluster.hostAddress, folder: samples })
    const service = { client: env.client, origin, root, samples }
    for (const verdict of judgeAll(chosen, service, folder)) {
      const { theme, title } = verdict.command
      verdicts.set(`${theme}: ${title}`, verdict)
    }
  })
  after(() => rm(folder, { recursive: true, force: true }))

  for (const { theme, title } of chosen) {
    it(`and gets what a shell makes of it: ${theme}, ${title}`, async () => {
      const differences = await verdicts.get(`${theme}: ${title}`)?.differences
      expect(differences?.join('\n')).to.equal('')
    })
  }
})
