import ipaddr from 'ipaddr.js'

/** Bytes of an IPv6 address that name the network of one customer line. */
const networkBytes = 8

/**
 * The key of a client's rate. For IPv6 the network, since one customer line has 2^64 addresses
 * (RFC 6177).
 */
export function clientNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown'
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  const network = parsed.toByteArray().map((byte, index) => (index < networkBytes ? byte : 0))
  return `${ipaddr.fromByteArray(network).toString()}/64`
}
