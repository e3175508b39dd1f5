import { sleep } from '../../../common/runtime/effects.ts'
import { abortError } from './byte-stream.ts'
import type { Clock } from '../../../common/runtime/effects.ts'
import type { KubeResponse } from '../../../common/kubernetes/transport.ts'
import type { RequestFault } from './faults.ts'
import type { RefusalFacts } from './objects/refusal.ts'

/**
 * One exchange over a network that takes time and loses things. Time passes before the effect and
 * after it, so concurrent calls overtake each other and a caller can give up on either side.
 */
export async function unreliably(
  network: { clock: Clock; latencyMs: () => number; signal: AbortSignal; isDown: () => boolean },
  fault: RequestFault | null,
  server: { handle: () => KubeResponse; refuse: (facts: RefusalFacts) => KubeResponse },
): Promise<KubeResponse> {
  const facts = factsOf(fault)
  await travel(facts.delayMs ?? 0)
  if (fault === 'hang') await never(network.signal)
  if (fault === 'lose-request') throw new Error('connection reset')
  const response = exchange()
  await travel(facts.replyAfterMs ?? 0)
  if (fault === 'lose-reply') throw new Error('connection reset')
  return response

  async function travel(extraMs: number): Promise<void> {
    await sleep(network.clock, network.latencyMs() + extraMs, network.signal)
    if (network.isDown()) throw new Error('connection refused')
  }

  function exchange(): KubeResponse {
    if (facts.answer !== undefined) return server.refuse(facts.answer)
    const response = server.handle()
    return facts.applyThen === undefined ? response : server.refuse(facts.applyThen)
  }
}

function never(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(abortError(signal)), { once: true })
  })
}

interface FaultFacts {
  readonly answer?: RefusalFacts
  readonly applyThen?: RefusalFacts
  readonly delayMs?: number
  readonly replyAfterMs?: number
}

function factsOf(fault: RequestFault | null): FaultFacts {
  return typeof fault === 'object' && fault !== null ? fault : {}
}
