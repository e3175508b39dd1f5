import { admitWaiting } from '../../testing/support/admit-waiting.ts'
import { queuedStep } from '../../testing/store-contract/fixtures.ts'
import type { TestConsole } from './console.fixture.ts'

/** Commands that run, with the pods that hold them. */
export interface LiveCommands {
  readonly ids: readonly string[]
  /** Reports progress of the next commands in turn, all at once. */
  change(count: number): Promise<void>
}

/** Starts so many commands; none of them ends. */
export async function startLive({ app }: TestConsole, count: number): Promise<LiveCommands> {
  const ids: string[] = []
  const atOnce = 50
  while (ids.length < count) {
    const length = Math.min(atOnce, count - ids.length)
    const some = await Promise.all(Array.from({ length }, () => app.submit()))
    await Promise.all(some.map((id) => app.store.markDispatched(id, `uid-${id}`)))
    await admitWaiting(app.store, app.account.accountId)
    await Promise.all(
      some.map((commandId) =>
        app.store.claimAttempt({ commandId, round: 1, podUid: `pod-${commandId}` }),
      ),
    )
    ids.push(...some)
  }
  let changes = 0
  return {
    ids,
    async change(some) {
      const chosen = Array.from({ length: some }, (_, index) => ids[(changes + index) % count])
      const round = Math.floor(changes / count)
      changes += some
      await Promise.all(
        chosen.flatMap((id) => (id === undefined ? [] : [progress(id, round % 99)])),
      )
    },
  }

  async function progress(commandId: string, percent: number): Promise<void> {
    const step = { ...queuedStep, status: 'PROCESSING', progress_percent: percent } as const
    await app.store.storeProgress({
      commandId,
      attempt: `pod-${commandId}`,
      status: 'PROCESSING',
      stage: 'FFMPEG_PROCESSING',
      progressPercent: percent,
      steps: [step],
      logs: [],
    })
  }
}

export interface Frames {
  /** Number of frames in each whole second. */
  readonly perSecond: readonly number[]
  readonly longestMs: number
}

/** Counts the frames that the page draws until `stop`. */
export async function countFrames({ page }: TestConsole): Promise<{ stop(): Promise<Frames> }> {
  await page.evaluate(`(() => {
    const counter = { seconds: new Map(), longest: 0, last: performance.now(), isOn: true }
    window.frameCounter = counter
    const note = (now) => {
      const second = Math.floor(now / 1000)
      counter.seconds.set(second, (counter.seconds.get(second) ?? 0) + 1)
      counter.longest = Math.max(counter.longest, now - counter.last)
      counter.last = now
      if (counter.isOn) requestAnimationFrame(note)
    }
    requestAnimationFrame(note)
  })()`)
  return {
    async stop() {
      const [counts, longestMs] = await page.evaluate<[number[], number]>(`(() => {
        const counter = window.frameCounter
        counter.isOn = false
        const first = Math.min(...counter.seconds.keys())
        const last = Math.max(...counter.seconds.keys())
        const all = []
        // A second without a frame counts as 0; the first and the last are not whole.
        for (let second = first + 1; second < last; second += 1) all.push(counter.seconds.get(second) ?? 0)
        return [all, counter.longest]
      })()`)
      return { perSecond: counts, longestMs }
    },
  }
}

export interface PageMemory {
  readonly heapBytes: number
  readonly nodes: number
}

/** After a collection, so that only what is still referenced counts. */
export async function memoryOf({ page }: TestConsole): Promise<PageMemory> {
  const session = await page.context().newCDPSession(page)
  try {
    await session.send('HeapProfiler.collectGarbage')
    await session.send('Performance.enable')
    const { metrics } = await session.send('Performance.getMetrics')
    const value = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? NaN
    return { heapBytes: value('JSHeapUsedSize'), nodes: value('Nodes') }
  } finally {
    await session.detach()
  }
}

/** Milliseconds until the largest part of a page was painted, of each of some loads. */
export async function paintTimes(
  { page }: TestConsole,
  url: string,
  loads: number,
): Promise<number[]> {
  const times: number[] = []
  for (let load = 0; load < loads; load += 1) {
    // Another document in between: a load of the same address with another fragment would be none.
    await page.goto('about:blank')
    await page.goto(url, { waitUntil: 'load' })
    times.push(
      await page.evaluate<number>(`new Promise((resolve) => {
        let latest = 0
        new PerformanceObserver((list) => {
          for (const { startTime } of list.getEntries()) latest = Math.max(latest, startTime)
        }).observe({ type: 'largest-contentful-paint', buffered: true })
        // The list is drawn once its first answer has come.
        const settled = () => (latest > 0 && performance.now() > latest + 500 ? resolve(latest) : setTimeout(settled, 50))
        settled()
      })`),
    )
  }
  return times
}
