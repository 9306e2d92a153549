import { BlockList, isIP } from 'node:net'

/** An address that this server must not call for a caller from outside (SSRF protection). */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused'
}

/**
 * Everything but the public internet: this host, private and shared networks, link-local (cloud metadata), tunnels, ranges for tests and
 * documentation, multicast.
 */
const closed = new BlockList()
const closed4 =
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 ' +
  '192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4'
const closed6 =
  '::/128 ::1/128 64:ff9b::/96 64:ff9b:1::/48 100::/64 2001::/23 2001:db8::/32 2002::/16 fc00::/7 fe80::/10 fec0::/10 ff00::/8'
const addTo = (list: BlockList, ranges: string, family: 'ipv4' | 'ipv6') => {
  for (const range of ranges.split(' ')) {
    const [net = '', bits = ''] = range.split('/')
    list.addSubnet(net, Number(bits), family)
  }
}
addTo(closed, closed4, 'ipv4')
addTo(closed, closed6, 'ipv6')

const loopback = new BlockList()
addTo(loopback, '127.0.0.0/8', 'ipv4')
addTo(loopback, '::1/128', 'ipv6')

const isIn = (list: BlockList, ip: string) => list.check(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4')

/** Whether this IP address may be called; `allowsLoopback` is for installations with the sandbox. */
export function isCallableIp(ip: string, allowsLoopback: boolean): boolean {
  if (isIP(ip) === 0) return false
  return !isIn(closed, ip) || (allowsLoopback && isIn(loopback, ip))
}

const isLoopbackName = (host: string) => host === 'localhost' || (isIP(host) !== 0 && isIn(loopback, host))

/**
 * The parsed address. Throws AddressRefused unless it is an https address of the public internet. The addresses that a
 * host name resolves to are checked when it is called.
 */
export function parsePublicAddress(text: string, allowsLoopback: boolean): URL {
  if (!URL.canParse(text)) throw new AddressRefused('it is no address')
  // The parser converts notations such as 2130706433 and 0x7f.1 to the IP address.
  const url = new URL(text)
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  const isAllowedLoopback = allowsLoopback && isLoopbackName(host)
  if (url.protocol !== 'https:' && !(isAllowedLoopback && url.protocol === 'http:'))
    throw new AddressRefused('it does not begin with https://')
  if (url.username !== '' || url.password !== '') throw new AddressRefused('it holds a name or password')
  if (url.port !== '' && !isAllowedLoopback) throw new AddressRefused('it names a port')
  if (host === '' || (isIP(host) !== 0 && !isCallableIp(host, allowsLoopback)))
    throw new AddressRefused('it is not on the public internet')
  return url
}
