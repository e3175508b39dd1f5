import type { Clock } from '../../../common/runtime/effects.ts'
import type { Logger } from '../../../common/runtime/logger.ts'
import type {
  KubeObject,
  Resource,
  WatchQuery,
} from '../../../common/kubernetes/resources/resource.ts'
import type { WatchEvent } from '../../../common/kubernetes/resources/watch-events.ts'

export interface StreamDeps {
  readonly resource: Pick<Resource<KubeObject>, 'watch'>
  readonly clock: Clock
  readonly random: () => number
  readonly logger: Logger
}

const minStreamSeconds = 40
const streamSpreadSeconds = 10
const cutAfterMs = 5_000

/**
 * Passes on the events of one WATCH until it ends: by the API server after 40 to 50 s, or 5 s later by this client.
 * @returns whether there was an event
 * @throws KubeError, and what `onEvent` throws
 */
export async function followStream(
  { resource, clock, random, logger }: StreamDeps,
  query: Omit<WatchQuery, 'signal' | 'timeoutSeconds'>,
  signal: AbortSignal,
  onEvent: (event: WatchEvent) => void,
): Promise<boolean> {
  const timeoutSeconds = minStreamSeconds + Math.floor(random() * (streamSpreadSeconds + 1))
  const cut = new AbortController()
  const onAbort = (): void => cut.abort(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  const cancelCut = clock.schedule(timeoutSeconds * 1000 + cutAfterMs, () => cut.abort())
  let isHeard = false
  try {
    const events = await resource.watch({ ...query, timeoutSeconds, signal: cut.signal })
    for await (const event of events) {
      isHeard = true
      onEvent(event)
    }
  } catch (error) {
    if (!cut.signal.aborted || signal.aborted) throw error
    logger.info('closed a watch that exceeded its timeout')
  } finally {
    cancelCut()
    signal.removeEventListener('abort', onAbort)
  }
  return isHeard
}
