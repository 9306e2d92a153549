import ipaddr from 'ipaddr.js'
import { isIP } from 'node:net'

/** An address that this server must not call for a caller from outside (SSRF protection). */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused'
}

const rangeOf = (ip: string) => (isIP(ip) === 0 ? undefined : ipaddr.process(ip).range())

/**
 * Whether this IP address may be called: one of the public internet, and so not this host, a private or shared network,
 * link-local (cloud metadata), a tunnel, a range for tests and documentation, or multicast. `allowsLoopback` is for
 * installations with the sandbox.
 */
export function isCallableIp(ip: string, allowsLoopback: boolean): boolean {
  const range = rangeOf(ip)
  return range === 'unicast' || (allowsLoopback && range === 'loopback')
}

const isLoopbackName = (host: string) => host === 'localhost' || rangeOf(host) === 'loopback'

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
