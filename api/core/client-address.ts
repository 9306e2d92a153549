import ipaddr from 'ipaddr.js'

/** The address that limits count: an IPv4 address, or the /64 of an IPv6 address, which belongs to one household. */
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

/** A hop without its port, which some gateways append: `203.0.113.9:4711`, `[2001:db8::1]:4711`. */
const withoutPort = (hop: string): string => hop.replace(/^(?:\[(.*)\]|([\d.]+))(?::\d+)?$/, '$1$2')

/**
 * The caller's address for limits: the socket's or, behind trusted proxies, the rightmost hop of X-Forwarded-For that is
 * no trusted proxy. The caller may have forged the hops to the left of it.
 */
export function clientAddress(
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
  trusted: readonly string[],
): string {
  let hop = socketAddress ?? 'unknown'
  const hops = (forwardedFor ?? '')
    .split(',')
    .map((entry) => withoutPort(entry.trim()))
    .filter(Boolean)
  while (isTrusted(hop, trusted)) {
    const next = hops.pop()
    if (next === undefined) break
    hop = next
  }
  return countedAddress(hop)
}
