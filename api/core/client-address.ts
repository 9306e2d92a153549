import ipaddr from 'ipaddr.js'

/** An address as limits count it: IPv4 whole, IPv6 by its /64, which one household has. */
function countedAddress(raw: string): string {
  if (!ipaddr.isValid(raw)) return 'unknown'
  const address = ipaddr.process(raw)
  if (address.kind() === 'ipv4') return address.toString()
  const network = ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/64`)
  return `${network.toString()}/64`
}

function isTrusted(raw: string, trusted: readonly string[]): boolean {
  if (!ipaddr.isValid(raw)) return false
  const address = ipaddr.process(raw)
  return trusted.some((entry) => {
    const range = ipaddr.isValidCIDR(entry) ? ipaddr.parseCIDR(entry) : undefined
    if (range) return range[0].kind() === address.kind() && address.match(range)
    return ipaddr.isValid(entry) && ipaddr.process(entry).toString() === address.toString()
  })
}

/**
 * The caller's address for limits: the socket's, unless that is a trusted proxy, then the rightmost
 * hop of X-Forwarded-For that is not one. Hops to the left of it may be forged by the caller.
 */
export function clientAddress(
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
  trusted: readonly string[],
): string {
  let hop = socketAddress ?? 'unknown'
  const hops = (forwardedFor ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)
  while (isTrusted(hop, trusted)) {
    const next = hops.pop()
    if (next === undefined) break
    hop = next
  }
  return countedAddress(hop)
}
