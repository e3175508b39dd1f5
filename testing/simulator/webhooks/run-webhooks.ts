import { Registry } from 'prom-client'
import { createWebhookMetrics } from '../../../api-server/webhooks/webhook-metrics.ts'
import { createWebhookSender } from '../../../api-server/webhooks/webhook-sender.ts'
import { attemptMs } from '../../../api-server/webhooks/post-webhook.ts'
import { sleep } from '../../../common/runtime/effects.ts'
import { directly } from '../../../common/runtime/failpoint.ts'
import { silentLogger } from '../../../common/runtime/logger.ts'
import { commitOf, failed, newCommand } from '../../store-contract/fixtures.ts'
import { planWith } from '../../support/plans.ts'
import { createVirtualClock } from '../../support/virtual-clock.ts'
import { createMemoryStore } from '../memory-store/memory-store.ts'

/** A command of an account ends, with an event to the host. */
export interface End {
  readonly atMs: number
  readonly accountId: string
  readonly host: string
}

export interface WebhookRun {
  /** Time in ms from the end of the command to the arrival of its event, by account; Infinity if it did not arrive. */
  readonly delaysMs: ReadonlyMap<string, readonly number[]>
  /** Attempts that were sent to a host. */
  readonly attempts: ReadonlyMap<string, number>
  readonly rearmed: number
}

const pingMs = 20

/**
 * The product's senders of several replicas over the memory store, on a virtual clock. Hosts whose name
 * begins with `dead` keep each request until the time-out.
 */
export async function runWebhooks(
  ends: readonly End[],
  { replicas, untilMs }: { replicas: number; untilMs: number },
): Promise<WebhookRun> {
  const clock = createVirtualClock({ promisesOnly: true })
  const store = createMemoryStore({ clock })
  const effects = { clock, random: () => 0.5, newId: () => '', failpoint: directly }
  const stopping = new AbortController()
  const notified = new Set<() => void>()
  const arrivals = new Map<string, number>()
  const attempts = new Map<string, number>()
  let rearmed = 0
  const metrics = createWebhookMetrics(new Registry())
  const senders = Array.from({ length: replicas }, () =>
    createWebhookSender({
      store: { ...store, findFile: () => Promise.resolve(null) },
      fileUrls: () => Promise.resolve(() => null),
      plans: { pro: planWith({ webhooks: true }) },
      async post({ url, headers }, signal) {
        const { host } = new URL(url)
        attempts.set(host, (attempts.get(host) ?? 0) + 1)
        const isDead = host.startsWith('dead')
        await sleep(clock, isDead ? attemptMs : pingMs, signal)
        if (!isDead) arrivals.set(headers['webhook-id'] ?? '', clock.monotonicMs())
        return { ok: !isDead, responseStatus: isDead ? null : 204, error: null, excerpt: null }
      },
      effects,
      userAgent: 'simulator',
      concurrency: 64,
      hints: {
        subscribe(_hint, onHint) {
          notified.add(onHint)
          return () => notified.delete(onHint)
        },
        shortestMs: () => 1_000,
        longestMs: () => 5_000,
      },
      logger: silentLogger,
      metrics: { ...metrics, rearmed: (receivers) => (rearmed += receivers) },
    }),
  )
  const running = senders.map((sender) => sender.run(stopping.signal))
  const ended = new Map<string, End>()
  for (const end of ends.toSorted((a, b) => a.atMs - b.atMs)) {
    await clock.advance(end.atMs - clock.monotonicMs())
    const { accountId, host } = end
    await store.ensureAccount({ accountId, name: accountId, plan: 'pro' })
    const command = { ...newCommand(accountId), webhookUrl: `https://${host}/` }
    await store.insertCommands([command])
    await store.commitOutcome(commitOf(command.commandId, null, failed('CANCELLED')))
    ended.set(`msg_${command.commandId}`, end)
    for (const hint of notified) hint()
  }
  await clock.advance(untilMs - clock.monotonicMs())
  stopping.abort()
  await clock.until(Promise.all(running))
  const byAccount = Map.groupBy(ended, ([, { accountId }]) => accountId)
  const delaysMs = [...byAccount].map(([accountId, own]) => {
    const delays = own.map(([id, { atMs }]) => (arrivals.get(id) ?? Infinity) - atMs)
    return [accountId, delays] as const
  })
  return { delaysMs: new Map(delaysMs), attempts, rearmed }
}
