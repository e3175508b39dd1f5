import { isIP } from 'node:net'
import { addressRefusal, addressRules } from './address-policy.ts'
import type { Endpoint } from './address-policy.ts'
import type { Assignment } from '../gateway/messages.ts'

/** All addresses of a host name, in the order to try them. */
export type Resolve = (host: string) => Promise<string[]>

export interface Guard {
  /** @throws RefusedAddress where none of the host's addresses is open; errors of the resolver */
  openAddresses(host: string, port: number): Promise<string[]>
  /** @throws RefusedAddress */
  checkAddress(address: string, port: number): Promise<void>
}

/** Says why to the log only: a user who learns the reason has scanned our network. */
export class RefusedAddress extends Error {
  constructor(host: string, port: number, reason: string) {
    super(`${host} port ${String(port)}: ${reason}`)
    this.name = 'RefusedAddress'
  }
}

/**
 * Decides where customers' URLs may lead. Names are resolved here once, and only addresses that
 * were checked are dialled, so a name that answers differently the second time gains nothing.
 */
export function createGuard(
  network: Assignment['network'],
  resolve: Resolve,
  resolveOwn: Resolve = resolve,
): Guard {
  const rules = addressRules(network)
  let ownEndpoints: Promise<Endpoint[]> | null = null

  async function refusal(address: string, port: number): Promise<string | null> {
    ownEndpoints ??= resolveEndpoints(network.denyEndpoints, resolveOwn)
    return addressRefusal(address, port, rules, await ownEndpoints)
  }

  return {
    async openAddresses(host, port) {
      const found = isIP(host) === 0 ? await resolve(host) : [host]
      const reasons = await Promise.all(found.map((address) => refusal(address, port)))
      const open = found.filter((_address, index) => reasons[index] === null)
      if (open.length === 0) {
        throw new RefusedAddress(
          host,
          port,
          reasons.find((reason) => reason !== null) ?? 'no address',
        )
      }
      return open
    },
    async checkAddress(address, port) {
      const reason = await refusal(address, port)
      if (reason !== null) throw new RefusedAddress(address, port, reason)
    },
  }
}

/**
 * A name that does not resolve has no address to protect at this moment; the addresses of
 * services inside the cluster are closed by their range besides.
 */
async function resolveEndpoints(entries: readonly string[], resolve: Resolve): Promise<Endpoint[]> {
  const resolved = await Promise.all(
    entries.map(async (entry) => {
      const { host, port } = hostAndPort(entry)
      const addresses = isIP(host) === 0 ? await resolve(host).catch(() => []) : [host]
      return addresses.map((address) => ({ address, port }))
    }),
  )
  return resolved.flat()
}

function hostAndPort(entry: string): { host: string; port: number } {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(entry) ?? []
  const host = bracketed ?? plain
  if (host === undefined) throw new Error(`'${entry}' is not host:port`)
  return { host, port: Number(port) }
}
