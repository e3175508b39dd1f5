import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Network = readonly [Address, number]

interface AllowedRange {
  readonly range: Network
  /** null: every port. */
  readonly port: number | null
}

export interface AddressRules {
  /** Beat the built-in refusals: an operator's own sources inside the company. */
  readonly allow: readonly AllowedRange[]
  /** Beat the allow entries: pod, service and node networks, even when they are public. */
  readonly deny: readonly Network[]
}

/** An address and port of the service itself. */
export interface Endpoint {
  readonly address: string
  readonly port: number
}

/**
 * @param lists entries of `allowCidrs` may end with `:PORT`
 * @throws if an entry is not a CIDR: an incomplete policy must not pass as a complete one
 */
export function addressRules(lists: {
  allowCidrs: readonly string[]
  denyCidrs: readonly string[]
}): AddressRules {
  return { allow: lists.allowCidrs.map(allowedRange), deny: lists.denyCidrs.map(network) }
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
  const dialled = ipaddr.process(address)
  const candidate = beyondNat64(dialled)
  if (endpoints.some((own) => own.port === port && isSame(own.address, candidate))) {
    return "the service's own endpoint"
  }
  const isDenied = rules.deny.some(
    (entry) => contains(entry, candidate) || contains(entry, dialled),
  )
  if (isDenied) return 'denied by the operator'
  const isAllowed = rules.allow.some(
    (entry) => (entry.port === null || entry.port === port) && contains(entry.range, candidate),
  )
  if (isAllowed) return null
  if (candidate.range() !== 'unicast') return candidate.range()
  // the library classifies unknown addresses as unicast, `::7f00:1` too
  if (candidate.kind() === 'ipv6' && !contains(globalUnicast, candidate)) return 'reserved'
  return insideClouds.some((entry) => contains(entry, candidate)) ? 'cloud metadata' : null
}

/** All that has been given out of IPv6 (RFC 4291, section 2.4, and IANA's registry). */
const globalUnicast = network('2000::/3')

/** Public by their numbers: what answers with secrets inside every Azure machine, and IBM's own services. */
const insideClouds = ['168.63.129.16/32', '161.26.0.0/16', '166.8.0.0/14'].map(network)

/** The IPv4 addresses behind a NAT64 gateway, of which DNS64 makes IPv6 ones (RFC 6052). */
const nat64 = network('64:ff9b::/96')
const bytesBeforeIpv4 = 12

/** A NAT64 gateway connects to the IPv4 address inside: an IPv6 entry must not open a private one so. */
function beyondNat64(address: Address): Address {
  if (!contains(nat64, address)) return address
  return ipaddr.fromByteArray(address.toByteArray().slice(bytesBeforeIpv4))
}

/** `10.20.0.0/16` is a range, `10.20.0.5/32:8080` and `[fd00::5]/128:8080` are one port of a range. */
function allowedRange(text: string): AllowedRange {
  const [, bracketed, plain, bits = '', digits] =
    /^(?:\[([0-9a-f:.]+)\]|([0-9a-f:.]+))(\/\d{1,3})(?::(\d{1,5}))?$/i.exec(text) ?? []
  if (digits === undefined) return { range: network(text), port: null }
  const port = Number(digits)
  if (port < 1 || port > mostPort) {
    throw new Error(`'${text}' must end with a port from 1 to ${mostPort}`)
  }
  return { range: network(`${bracketed ?? plain ?? ''}${bits}`), port }
}

const mostPort = 65_535

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
  return ipaddr.isValid(text) && beyondNat64(ipaddr.process(text)).toString() === address.toString()
}
