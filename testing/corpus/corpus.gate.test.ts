import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { runnerParts, startSupervised } from '../ffmpeg/runner/test-runner.ts'
import type { MadeParts, RunningSupervisor } from '../ffmpeg/runner/test-runner.ts'
import { judgeInTurns } from './in-turns.ts'
import { judgeCommand, noCounts } from './judge-command.ts'
import type { Verdict } from './in-turns.ts'
import type { Driver } from './judge-command.ts'
import type { CorpusCommand } from './read-corpus.ts'
import { readCorpus } from './read-corpus.ts'
import { sandboxDriver } from './sandbox-driver.ts'
import { makeSamples } from './samples.ts'
import { sampled } from '../scale.ts'

const corpus = await readCorpus(path.join(import.meta.dirname, 'commands'))
/** About a dozen; all with `npm run test:full`. `CORPUS='gif|text: Clock'` runs those, `CORPUS=.` all. */
const wanted = process.env['CORPUS']
const chosen =
  wanted === undefined
    ? sampled(corpus, { every: 50, nameOf: ({ name }) => name })
    : corpus.filter(({ name }) => new RegExp(wanted).test(name))

describe('commands of cheat sheets write what plain FFmpeg writes', function () {
  this.timeout(600_000)
  let parts: MadeParts
  let folder = ''
  const workers: RunningSupervisor[] = []
  const counts = noCounts()
  let verdicts: readonly Verdict[] = []

  before(async () => {
    parts = await runnerParts()
    folder = await mkdtemp(path.join(tmpdir(), 'corpus-'))
    await mkdir(path.join(folder, 'samples', 'in'), { recursive: true })
    const samples = await makeSamples(parts.root, path.join(folder, 'samples'))
    const drivers: Driver[] = []
    for (let index = 0; index < availableParallelism(); index += 1) {
      const supervised = await startSupervised(parts)
      workers.push(supervised)
      const plainJob = path.join(folder, String(index))
      drivers.push(sandboxDriver({ root: parts.root, samples, plainJob, counts }, supervised))
    }
    verdicts = judgeInTurns(chosen, drivers, judgeTwice)
  })
  after(async () => {
    for (const worker of workers) await worker[Symbol.asyncDispose]()
    await parts.remove()
    await rm(folder, { recursive: true, force: true })
    console.log(
      `      ${String(counts.identical)} files the same, ${String(counts.alike)} alike, ${String(counts.refused)} commands refused, ${String(counts.failing)} failing in both`,
    )
  })

  it('the corpus has more than 330 commands with unique names', () => {
    const names = new Set(corpus.map(({ name }) => name))
    expect(names.size).to.equal(corpus.length)
    expect(names.size).to.be.greaterThan(330)
  })

  for (const [index, { name }] of chosen.entries()) {
    it(name, async () => {
      expect((await verdicts[index]?.found)?.join('\n')).to.equal('')
    })
  }
})

/**
 * Plain FFmpeg's own threads race: vidstabdetect wrote other transforms once in 40 runs. A difference
 * with another cause appears twice.
 */
async function judgeTwice(command: CorpusCommand, driver: Driver): Promise<string[]> {
  const differences = await judgeCommand(command, driver)
  return differences.length === 0 ? differences : judgeCommand(command, driver)
}
