import ipaddr from 'ipaddr.js'

/**
 * Whom a rate is counted for. Of IPv6 addresses the network: one customer line has 2^64 of them
 * (RFC 6177).
 */
export function clientNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown'
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  const network = parsed.toByteArray().map((byte, index) => (index < 8 ? byte : 0))
  return `${ipaddr.fromByteArray(network).toString()}/64`
}
