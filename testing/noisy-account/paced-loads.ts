import { setTimeout as delay } from 'node:timers/promises'

/** Requests a second of each kind. */
export interface Rates {
  readonly reads: number
  readonly unknownKeys: number
}

export interface PacedLoads {
  /** How often each HTTP status was answered. */
  readonly statuses: ReadonlyMap<number, number>
  stop(): Promise<void>
}

const turnsPerSecond = 10

/** Reads of an account's lists, and calls with keys that do not exist, at these rates until they are stopped. */
export function startPacedLoads(
  service: { readonly url: string; readonly apiKey: string },
  rates: Rates,
): PacedLoads {
  const statuses = new Map<number, number>()
  const stopping = new AbortController()
  const { signal } = stopping
  let sent = 0

  async function get(path: string, apiKey: string): Promise<void> {
    try {
      const headers = { 'x-api-key': apiKey }
      const response = await fetch(`${service.url}${path}`, { headers, signal })
      await response.arrayBuffer()
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }

  /** A call that is slower than its turn delays no other one. */
  async function paced(perSecond: number, send: () => Promise<void>): Promise<void> {
    const open = new Set<Promise<void>>()
    while (!signal.aborted) {
      for (let count = 0; count < perSecond / turnsPerSecond; count += 1) {
        const call = send().finally(() => open.delete(call))
        open.add(call)
      }
      await delay(1_000 / turnsPerSecond, undefined, { signal }).catch(() => undefined)
    }
    await Promise.all(open)
  }

  const running = Promise.all([
    paced(rates.reads, () => get('/v1/commands?limit=20', service.apiKey)),
    paced(rates.unknownKeys, () => get('/v1/usage', `cff_unknown_${(sent += 1)}`)),
  ])
  return {
    statuses,
    async stop() {
      stopping.abort()
      await running
    },
  }
}
