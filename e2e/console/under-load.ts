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
        app.store.claimAttempt({ commandId, jobGeneration: 1, podUid: `pod-${commandId}` }),
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

interface PageMemory {
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
