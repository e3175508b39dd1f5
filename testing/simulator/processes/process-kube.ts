import { createKubeClient } from '../../../common/kubernetes/client.ts'
import type { KubeClient } from '../../../common/kubernetes/client.ts'
import type { KubeMetrics } from '../../../common/kubernetes/kube-metrics.ts'
import type { RequestThrottle } from '../../../common/kubernetes/throttle/request-throttle.ts'
import type { KubeRequest, KubeTransport } from '../../../common/kubernetes/transport.ts'
import type { WrittenVersions } from '../world/written-versions.ts'
import type { SimulatedProcess } from '../world/process.ts'
import type { Random } from '../../support/random.ts'
import type { World } from '../world/world.ts'

/** The API server as one process reaches it, through the product's own client. */
export function kubeClientOf(
  process: SimulatedProcess,
  { server, written }: Pick<World, 'server' | 'written'>,
  deps: { random: Random; metrics: KubeMetrics; throttle?: RequestThrottle },
): KubeClient {
  const { random, metrics, throttle } = deps
  return createKubeClient({
    transport: transportOf(process, server.transport, written),
    clock: process.clock,
    random: random.next,
    metrics,
    ...(throttle === undefined ? {} : { throttle }),
  })
}

function transportOf(
  process: SimulatedProcess,
  transport: KubeTransport,
  written: WrittenVersions,
): KubeTransport {
  return async (request) => {
    written.sending(process.name, request)
    const response = await process.reach(() => transport(outliving(request, process)))
    // Only the body of a watch takes its time; others are here with the answer.
    const body = isWatch(request)
      ? gated(process, response.body)
      : written.answered(process.name, request, response)
    return { ...response, body }
  }
}

function isWatch({ query }: KubeRequest): boolean {
  return query?.['watch'] === 'true'
}

/** A request on the wire is carried out, also after its sender has crashed; a stream ends with it. */
function outliving(request: KubeRequest, process: SimulatedProcess): KubeRequest {
  return isWatch(request)
    ? { ...request, signal: AbortSignal.any([request.signal, process.killed]) }
    : request
}

async function* gated(
  process: SimulatedProcess,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const stream = body[Symbol.asyncIterator]()
  try {
    for (;;) {
      const part = await process.reach(() => stream.next())
      if (part.done === true) return
      yield part.value
    }
  } finally {
    await stream.return?.()
  }
}
