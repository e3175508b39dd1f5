import { noHints } from '../../common/store/hints.fixture.ts'
import { Registry } from 'prom-client'
import { pro } from '../../testing/support/api/app.ts'
import { createFileUrls } from '../files/file-urls.ts'
import { createWebhookMetrics } from './webhook-metrics.ts'
import { createWebhookSender } from './webhook-sender.ts'
import { loopbackWebhooks } from './receiver.fixture.ts'
import { directly } from '../../common/runtime/failpoint.ts'
import { stillEffects } from '../../testing/support/still-effects.ts'
import { silentLogger } from '../../common/runtime/logger.ts'
import { systemEffects } from '../../common/runtime/system-effects.ts'
import type { Clock, Failpoint } from '../../common/runtime/effects.ts'
import type { Plan } from '../../common/domain/plans.ts'
import type { Store } from '../../common/store/store.ts'
import type { FileUrls } from '../files/file-urls.ts'
import type { SendNow } from './one-delivery.ts'
import type { AttemptResult } from './attempt-delivery.ts'

/** One replica's sender. */
export interface TestSender {
  readonly notify: () => void
  readonly sendNow: SendNow
  /** Results of the attempts in order. */
  readonly results: AttemptResult[]
  /** Resolves with the results when `count` attempts have been recorded. */
  readonly attempted: (count: number) => Promise<AttemptResult[]>
  readonly stop: () => Promise<void>
  /** Stops without waiting for attempts in flight. */
  readonly leave: () => void
}

export interface TestSenderOptions {
  readonly failpoint?: Failpoint
  readonly concurrency?: number
  readonly plans?: Readonly<Record<string, Plan>>
  /** Clock of the sender. */
  readonly clock?: Clock
  readonly fileUrls?: FileUrls
}

const usualUrls = createFileUrls({
  publicBaseUrl: 'https://files.example/media',
  presign: async () => 'https://signed.example/',
})

export function startSender(store: Store, options: TestSenderOptions = {}): TestSender {
  const real = systemEffects(options.failpoint ?? directly)
  const results: AttemptResult[] = []
  const waiting: { count: number; resolve: (results: AttemptResult[]) => void }[] = []
  const metrics = createWebhookMetrics(new Registry())
  const sender = createWebhookSender({
    store,
    fileUrls: options.fileUrls ?? usualUrls,
    plans: options.plans ?? { pro },
    // Attempts end by their answers alone, however late these come.
    post: loopbackWebhooks(stillEffects().clock),
    effects: { ...real, clock: options.clock ?? real.clock },
    userAgent: 'cloud-ffmpeg/test',
    concurrency: options.concurrency ?? 64,
    hints: noHints,
    logger: silentLogger,
    metrics: {
      ...metrics,
      attempted(result) {
        metrics.attempted(result)
        results.push(result)
        for (const one of waiting) if (results.length >= one.count) one.resolve(results)
      },
    },
  })
  const stopping = new AbortController()
  const running = sender.run(stopping.signal)
  return {
    notify: sender.notify,
    sendNow: sender.sendNow,
    results,
    attempted: (count) =>
      new Promise((resolve) => {
        if (results.length >= count) resolve(results)
        else waiting.push({ count, resolve })
      }),
    stop() {
      stopping.abort()
      return running
    },
    leave: () => stopping.abort(),
  }
}
