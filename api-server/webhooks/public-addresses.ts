import { Resolver } from 'node:dns/promises'
import type { Resolve } from '../../common/network/guard.ts'

/**
 * Resolves names without the C library's resolver: it has four threads for the whole process, so an
 * untrusted name server that never answers would block the lookup of the database's name. IPv4
 * first: clusters without IPv6 egress are common.
 * @param servers `address:port`; the machine's name servers if omitted
 */
export function publicAddresses(servers: readonly string[] = []): Resolve {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  if (servers.length > 0) resolver.setServers(servers)
  return async (host) => {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    const found = [v4, v6].flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
    if (found.length === 0 && v4.status === 'rejected') throw lookupError(host, v4.reason)
    return found
  }
}

/** Uses the C library's codes: some codes of c-ares equal those of connection errors. */
function lookupError(host: string, cause: unknown): Error {
  const answered =
    cause instanceof Error &&
    'code' in cause &&
    (cause.code === 'ENOTFOUND' || cause.code === 'ENODATA')
  const code = answered ? cause.code : 'EAI_AGAIN'
  return Object.assign(new Error(`${host} was not resolved`, { cause }), { code })
}
