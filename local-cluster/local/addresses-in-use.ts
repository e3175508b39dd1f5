import ipaddr from 'ipaddr.js'
import type { Instance } from '../host/instance.ts'
import { isRecord } from '../host/run-command.ts'

export interface Route {
  readonly destination: string
  readonly device: string
}

/** Parses the answer of `ip -json route show table all`; what is not an IPv4 network is left out. */
export function parseRoutes(json: string): Route[] {
  const parsed: unknown = JSON.parse(json)
  if (!Array.isArray(parsed)) throw new Error('ip route answered no list')
  return parsed.flatMap((route: unknown) => {
    if (!isRecord(route)) return []
    const { dst, dev } = route
    if (typeof dst !== 'string' || typeof dev !== 'string' || dst === 'default') return []
    const destination = dst.includes('/') ? dst : `${dst}/32`
    return ipaddr.IPv4.isValidCIDR(destination) ? [{ destination, device: dev }] : []
  })
}

/**
 * The route of this machine that an instance would break or be broken by: a company network in 10.250.0.0/24, say, or
 * another instance whose name falls on the same addresses.
 */
export function conflictingRoute(instance: Instance, routes: readonly Route[]): Route | undefined {
  const own = [instance.linkCidr, instance.podCidr, instance.serviceCidr]
  return routes.find(
    ({ destination, device }) =>
      device !== instance.hostInterface && own.some((cidr) => overlap(cidr, destination)),
  )
}

function overlap(left: string, right: string): boolean {
  const [first, firstBits] = ipaddr.IPv4.parseCIDR(left)
  const [second, secondBits] = ipaddr.IPv4.parseCIDR(right)
  // a route for half of all addresses, as VPNs set it, takes nothing away from a longer one
  if (Math.min(firstBits, secondBits) < 9) return false
  const bits = Math.min(firstBits, secondBits)
  return first.match(second, bits)
}
