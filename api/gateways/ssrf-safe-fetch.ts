import { lookup as resolveName, type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { Agent, fetch, type RequestInit, type Response } from 'undici'
import { assertNoConnectionHeld } from '../core/connection-held-guard.ts'
import { AddressRefused, isCallableIp, parsePublicAddress } from './public-address.ts'

const timeouts = { connectMs: 5000, headersMs: 15_000, bodyMs: 15_000 }
const maxRedirects = 3

type Resolve = (host: string, done: (error: Error | null, addresses: LookupAddress[]) => void) => void
const bySystem: Resolve = (host, done) => resolveName(host, { all: true }, done)

/** How much of a response's body is read. */
const maxAnswerBytes = 2048

/** The response to a call; `text` is the beginning of its body. */
type EndpointResponse = { status: number; retryAfter: string | null; text: string }

/**
 * The only way to call an address from outside (SSRF protection): only https on the public internet. The IP addresses of a
 * name are checked at the moment of connecting, so no later DNS answer can differ. If one of
 * them is not allowed, the call is refused.
 */
export function createSsrfSafeFetch({
  allowsLoopback,
  resolve = bySystem,
}: {
  allowsLoopback: boolean
  resolve?: Resolve
}) {
  const lookup: LookupFunction = (host, options, callback) =>
    resolve(host, (error, addresses) => {
      const [first] = addresses ?? []
      if (error) return callback(error, '')
      if (!first || addresses.some(({ address }) => !isCallableIp(address, allowsLoopback)))
        return callback(new AddressRefused('it is not on the public internet'), '')
      return options.all ? callback(null, addresses) : callback(null, first.address, first.family)
    })
  const dispatcher = new Agent({
    // `lookup` is not called for an IP address, which parsePublicAddress has checked.
    connect: { lookup, timeout: timeouts.connectMs },
    headersTimeout: timeouts.headersMs,
    bodyTimeout: timeouts.bodyMs,
    pipelining: 0,
  })
  const request = async (url: URL, init: RequestInit): Promise<Response> => {
    try {
      return await fetch(url, { ...init, redirect: 'manual', dispatcher })
    } catch (error) {
      const { cause } = error as Error
      throw cause instanceof AddressRefused ? cause : error
    }
  }
  return {
    /** Throws AddressRefused for an address that may not be called. */
    check: (address: string): URL => parsePublicAddress(address, allowsLoopback),
    /** Sends GET and follows at most three redirects, each checked. Throws AddressRefused, or the error of the call. */
    async read(address: string, signal: AbortSignal): Promise<Response> {
      assertNoConnectionHeld('An address from outside')
      let url = parsePublicAddress(address, allowsLoopback)
      for (let followed = 0; followed <= maxRedirects; followed += 1) {
        const response = await request(url, { signal, headers: { 'user-agent': 'Flashsheet' } })
        const location = response.headers.get('location')
        if (response.status < 300 || response.status >= 400 || location === null) return response
        await response.body?.cancel()
        url = parsePublicAddress(new URL(location, url).href, allowsLoopback)
      }
      throw new AddressRefused('it leads from one address to the next')
    },
    /**
     * Sends JSON by POST. A redirect is not followed but returned. Only the beginning of the body is read. Throws
     * AddressRefused, or the error of the call.
     */
    async post(
      address: string,
      { headers, body }: { headers: Record<string, string>; body: string },
      signal: AbortSignal,
    ): Promise<EndpointResponse> {
      assertNoConnectionHeld('An address from outside')
      const url = parsePublicAddress(address, allowsLoopback)
      const response = await request(url, {
        method: 'POST',
        signal,
        headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'Flashsheet' },
        body,
      })
      const text = await readBeginning(response, signal)
      return { status: response.status, retryAfter: response.headers.get('retry-after'), text }
    },
    stop: async (): Promise<void> => await dispatcher.destroy(),
  }
}

/** The beginning of a body. A body that breaks off or comes too late is cut there, since the status is known already. */
async function readBeginning({ body }: Response, signal: AbortSignal): Promise<string> {
  if (!body) return ''
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = body.getReader()
  try {
    while (size < maxAnswerBytes && !signal.aborted) {
      const { done, value } = (await reader.read()) as { done: boolean; value?: Uint8Array }
      if (done || !value) break
      chunks.push(value)
      size += value.byteLength
    }
  } catch {
    // The rest of the body is lost.
  } finally {
    await reader.cancel().catch(() => undefined)
  }
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, maxAnswerBytes)).replaceAll('\0', '')
}
