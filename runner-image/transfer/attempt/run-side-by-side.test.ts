import { expect } from 'chai'
import fc from 'fast-check'
import { Failure } from '../../../common/domain/failures.ts'
import { runSideBySide } from './run-side-by-side.ts'

const never = new AbortController().signal

describe('steps side by side', () => {
  it('starts what depends on nothing at once, and the rest as soon as it can', async () => {
    const chain = rehearsal([[], [], [0], [1, 2]])
    const ended = runSideBySide(chain.steps, 8, chain.run, never)
    await settled()
    expect(chain.started).to.deep.equal([0, 1])
    await chain.end(0)
    expect(chain.started).to.deep.equal([0, 1, 2])
    await chain.end(1)
    await chain.end(2)
    expect(chain.started).to.deep.equal([0, 1, 2, 3])
    await chain.end(3)
    expect(await ended).to.equal(null)
  })

  it('runs no more at a time than it may, lower ones first', async () => {
    const chain = rehearsal([[], [], [], []])
    const ended = runSideBySide(chain.steps, 2, chain.run, never)
    await settled()
    expect(chain.started).to.deep.equal([0, 1])
    await chain.end(1)
    expect(chain.started).to.deep.equal([0, 1, 2])
    for (const index of [0, 2, 3]) await chain.end(index)
    expect(await ended).to.equal(null)
  })

  it('stops those after one that fails, and lets those before it go on', async () => {
    const chain = rehearsal([[], [], [], [0], [2]])
    const ended = runSideBySide(chain.steps, 8, chain.run, never)
    await settled()
    await chain.end(1, new Failure('FFMPEG_FAILED', 'second'))
    expect(chain.stopped).to.deep.equal([2])
    await chain.end(2, new Failure('CANCELLED', 'stopped'))
    await chain.end(0)
    expect(chain.started).to.deep.equal([0, 1, 2])
    const failed = await ended
    expect([failed?.index, failed?.failure.message]).to.deep.equal([1, 'second'])
  })

  it('stops all when no step is to blame', async () => {
    const chain = rehearsal([[], [], []])
    const ended = errorOf(runSideBySide(chain.steps, 8, chain.run, never))
    await settled()
    await chain.end(1, new Error('the link dropped'))
    expect(chain.stopped).to.deep.equal([0, 2])
    await chain.end(0)
    await chain.end(2)
    expect(String(await ended)).to.equal('Error: the link dropped')
  })

  it('starts nothing once the attempt is to end', async () => {
    const stop = new AbortController()
    const chain = rehearsal([[], [0]])
    const ended = errorOf(runSideBySide(chain.steps, 8, chain.run, stop.signal))
    await settled()
    stop.abort(new Error('cancelled'))
    await chain.end(0)
    expect(String(await ended)).to.equal('Error: cancelled')
    expect(chain.started).to.deep.equal([0])
  })

  it('a chain fails as the same steps would one after the other, whichever ends first', async () => {
    const step = fc.record({ fails: fc.boolean(), waits: fc.integer({ min: 0, max: 5 }) })
    const chains = fc
      .array(step, { minLength: 1, maxLength: 10 })
      .chain((steps) =>
        fc.tuple(
          fc.constant(steps),
          fc.tuple(...steps.map((_, index) => fc.subarray([...steps.keys()].slice(0, index)))),
          fc.integer({ min: 1, max: 4 }),
        ),
      )
    await fc.assert(
      fc.asyncProperty(chains, async ([plans, depends, atOnce]) => {
        let running = 0
        const done = new Set<number>()
        const steps = plans.map((plan, index) => ({
          ...plan,
          index,
          dependsOn: depends[index] ?? [],
        }))
        const failed = await runSideBySide(
          steps,
          atOnce,
          async ({ index, fails, waits, dependsOn }) => {
            expect(++running).to.be.at.most(atOnce)
            expect(dependsOn.every((at) => done.has(at))).to.equal(true)
            for (let turn = 0; turn < waits; turn++) await Promise.resolve()
            running--
            if (fails) throw new Failure('FFMPEG_FAILED', String(index))
            done.add(index)
          },
          never,
        )
        const lowest = plans.findIndex(({ fails }) => fails)
        expect(failed?.index ?? -1).to.equal(lowest)
        const before = lowest === -1 ? steps.length : lowest
        expect(steps.slice(0, before).every(({ index }) => done.has(index))).to.equal(true)
      }),
    )
  })
})

/** Steps that end when the test says so. */
function rehearsal(depends: readonly (readonly number[])[]) {
  const started: number[] = []
  const stopped: number[] = []
  const ends = new Map<number, PromiseWithResolvers<void>>()
  return {
    started,
    stopped,
    steps: depends.map((dependsOn, index) => ({ index, dependsOn: [...dependsOn] })),
    run: ({ index }: { index: number }, stop: AbortSignal): Promise<void> => {
      started.push(index)
      stop.addEventListener('abort', () => stopped.push(index))
      const end = Promise.withResolvers<void>()
      ends.set(index, end)
      return end.promise
    },
    async end(index: number, error?: Error): Promise<void> {
      if (error === undefined) ends.get(index)?.resolve()
      else ends.get(index)?.reject(error)
      await settled()
    },
  }
}

/** Everything that waits for nothing but promises has happened. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

async function errorOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => null,
    (error: unknown) => error,
  )
}
