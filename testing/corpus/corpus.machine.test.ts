import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { runnerParts, startSupervised } from '../ffmpeg/runner/test-runner.ts'
import type { MadeParts, RunningSupervisor } from '../ffmpeg/runner/test-runner.ts'
import { judgeCommand } from './judge-command.ts'
import type { Judging } from './judge-command.ts'
import { readCorpus } from './read-corpus.ts'
import { makeSamples } from './samples.ts'
import { sampled } from '../scale.ts'

const corpus = await readCorpus(path.join(import.meta.dirname, 'commands'))
/** `CORPUS='gif|text: Clock'` runs those, `CORPUS=.` all. */
const wanted = process.env['CORPUS']
const chosen =
  wanted === undefined
    ? sampled(corpus, {
        ...{ every: 10, least: 3 },
        nameOf: ({ theme, title }) => `${theme}: ${title}`,
        themeOf: ({ theme }) => theme,
      })
    : corpus.filter(({ theme, title }) => new RegExp(wanted).test(`${theme}: ${title}`))

describe('commands of cheat sheets write what plain FFmpeg writes', function () {
  this.timeout(600_000)
  let parts: MadeParts
  let folder = ''
  const workers: RunningSupervisor[] = []
  const counts = { identical: 0, alike: 0, refused: 0, failing: 0 }
  const verdicts = chosen.map((command) => ({ command, ...Promise.withResolvers<string[]>() }))

  before(async () => {
    parts = await runnerParts()
    folder = await mkdtemp(path.join(tmpdir(), 'corpus-'))
    await mkdir(path.join(folder, 'samples', 'in'), { recursive: true })
    const samples = await makeSamples(parts.root, path.join(folder, 'samples'))
    for (const { promise } of verdicts) promise.catch(() => undefined)
    const waiting = verdicts.values()
    for (let index = 0; index < availableParallelism(); index += 1) {
      const supervised = await startSupervised(parts)
      workers.push(supervised)
      const plainJob = path.join(folder, String(index))
      void workThrough(waiting, { root: parts.root, samples, supervised, plainJob, counts })
    }
  })
  after(async () => {
    for (const worker of workers) await worker[Symbol.asyncDispose]()
    await parts.remove()
    await rm(folder, { recursive: true, force: true })
    console.log(
      `      ${String(counts.identical)} files the same, ${String(counts.alike)} alike, ${String(counts.refused)} commands refused, ${String(counts.failing)} failing in both`,
    )
  })

  it('are more than 330, each under a name of its own', () => {
    const names = new Set(corpus.map(({ theme, title }) => `${theme}: ${title}`))
    expect(names.size).to.equal(corpus.length)
    expect(names.size).to.be.greaterThan(330)
  })

  for (const { command, promise } of verdicts) {
    it(`${command.theme}: ${command.title}`, async () => {
      expect((await promise).join('\n')).to.equal('')
    })
  }

  async function workThrough(
    waiting: Iterator<(typeof verdicts)[number]>,
    judging: Judging,
  ): Promise<void> {
    for (let next = waiting.next(); next.done !== true; next = waiting.next()) {
      const { command, resolve, reject } = next.value
      try {
        const differences = await judgeCommand(command, judging)
        // Plain FFmpeg's own threads race: vidstabdetect wrote other transforms once in 40 runs. What is
        // different for a reason is so twice.
        resolve(differences.length === 0 ? differences : await judgeCommand(command, judging))
      } catch (error) {
        reject(error)
      }
    }
  }
})
