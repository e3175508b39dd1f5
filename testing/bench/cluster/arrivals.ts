import type { KubeObject, Resource } from '../../../common/kubernetes/resources/resource.ts'

/** When objects of a kind were first seen by a watcher, by this process's monotonic clock in ms. */
export interface Arrivals {
  /** Undefined where none of this name has come. */
  of(name: string): number | undefined
  close(): void
}

export async function watchArrivals(
  resource: Resource<KubeObject>,
  namespace: string,
): Promise<Arrivals> {
  const stop = new AbortController()
  const seen = new Map<string, number>()
  const { resourceVersion } = await resource.listPage({ namespace, limit: 1 })
  const events = await resource.watch({
    namespace,
    resourceVersion,
    timeoutSeconds: 3_600,
    signal: stop.signal,
  })
  follow().catch((error: unknown) => {
    // Without it there are no times, and the figures say so.
    if (!stop.signal.aborted) console.error(`a watch of ${resource.kind} broke off`, error)
  })
  return {
    of: (name) => seen.get(name),
    close: () => stop.abort(new Error('the benchmark has ended')),
  }

  async function follow(): Promise<void> {
    for await (const event of events) {
      if (event.type === 'BOOKMARK') continue
      const { metadata } = resource.parse(event.object)
      if (!seen.has(metadata.name)) seen.set(metadata.name, performance.now())
    }
  }
}
