/**
 * Whether an address may be a redirect of an OAuth client: absolute, https (http on loopback only), no fragment.
 * Source: the networks' redirect rules (docs/networks/facebook.md, docs/networks/tiktok.md).
 */
export function redirectAllowed(address: string | undefined): address is string {
  if (!address || !URL.canParse(address) || address.includes('#')) return false
  const { protocol, hostname } = new URL(address)
  const here = hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
  return protocol === 'https:' || (protocol === 'http:' && here)
}
