import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Network = readonly [Address, number]

export interface AddressRules {
  /** Beat the built-in refusals: an operator's own sources inside the company. */
  readonly allow: readonly Network[]
  /** Beat the allow entries: pod, service and node networks, even when they are public. */
  readonly deny: readonly Network[]
}

/** An address and port of the service itself. */
export interface Endpoint {
  readonly address: string
  readonly port: number
}

/** @throws if an entry is not a CIDR: an incomplete policy must not pass as a complete one */
export function addressRules(lists: {
  allowCidrs: readonly string[]
  denyCidrs: readonly string[]
}): AddressRules {
  return { allow: lists.allowCidrs.map(network), deny: lists.denyCidrs.map(network) }
}

/**
 * Why a customer's URL must not lead to this address and port; null if it may. Only global
 * unicast is open, so a range that a later RFC reserves is closed without a change here.
 * @param endpoints the service's own; no entry opens them, or a customer could talk to the
 *   gateway or the database from inside the fence
 */
export function addressRefusal(
  address: string,
  port: number,
  rules: AddressRules,
  endpoints: readonly Endpoint[],
): string | null {
  if (!ipaddr.isValid(address)) return 'not an IP address'
  const candidate = ipaddr.process(address)
  if (endpoints.some((own) => own.port === port && isSame(own.address, candidate))) {
    return "the service's own endpoint"
  }
  if (rules.deny.some((entry) => contains(entry, candidate))) return 'denied by the operator'
  if (rules.allow.some((entry) => contains(entry, candidate))) return null
  if (candidate.range() !== 'unicast') return candidate.range()
  // the library classifies unknown addresses as unicast, `::7f00:1` too
  if (candidate.kind() === 'ipv6' && !contains(globalUnicast, candidate)) return 'reserved'
  return insideClouds.some((entry) => contains(entry, candidate)) ? 'cloud metadata' : null
}

/** All that has been given out of IPv6 (RFC 4291, section 2.4, and IANA's registry). */
const globalUnicast = network('2000::/3')

/** Public by their numbers: what answers with secrets inside every Azure machine, and IBM's own services. */
const insideClouds = ['168.63.129.16/32', '161.26.0.0/16', '166.8.0.0/14'].map(network)

function network(text: string): Network {
  if (!ipaddr.isValidCIDR(text)) throw new Error(`'${text}' is not a CIDR such as 10.0.0.0/8`)
  const [address, bits] = ipaddr.parseCIDR(text)
  if (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= 96) {
    return [address.toIPv4Address(), bits - 96]
  }
  return [address, bits]
}

function contains([base, bits]: Network, address: Address): boolean {
  return base.kind() === address.kind() && address.match(base, bits)
}

function isSame(text: string, address: Address): boolean {
  return ipaddr.isValid(text) && ipaddr.process(text).toString() === address.toString()
}
