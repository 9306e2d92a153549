import { lookup as resolveName, type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { Agent, fetch, type RequestInit, type Response } from 'undici'
import { assertNoConnectionHeld } from '../core/outside.ts'
import { ForeignAddressRefused, mayCall, readForeignAddress } from './foreign-address.ts'

const waits = { connectMs: 5000, headersMs: 15_000, bodyMs: 15_000 }
const mostRedirects = 3

type Resolve = (host: string, done: (error: Error | null, addresses: LookupAddress[]) => void) => void
const bySystem: Resolve = (host, done) => resolveName(host, { all: true }, done)

/** Of the answer to a call as much as somebody will read. */
const answerBytes = 2048

/** What a call was answered; `text` is how the body began. */
export type ForeignAnswer = { status: number; retryAfter: string | null; text: string }

export type ForeignFetch = ReturnType<typeof createForeignFetch>

/**
 * The one way to call an address that somebody outside has named. Only https to the public internet is called; what a name leads to is
 * checked as it is connected to, so that no later answer of a name server can differ. One bad address of a name refuses all.
 */
export function createForeignFetch({
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
      if (!first || addresses.some(({ address }) => !mayCall(address, allowsLoopback)))
        return callback(new ForeignAddressRefused('it is not on the public internet'), '')
      return options.all ? callback(null, addresses) : callback(null, first.address, first.family)
    })
  const dispatcher = new Agent({
    // `lookup` is not asked about an IP address: readForeignAddress has looked at it.
    connect: { lookup, timeout: waits.connectMs },
    headersTimeout: waits.headersMs,
    bodyTimeout: waits.bodyMs,
    pipelining: 0,
  })
  const once = async (url: URL, init: RequestInit): Promise<Response> => {
    try {
      return await fetch(url, { ...init, redirect: 'manual', dispatcher })
    } catch (error) {
      const { cause } = error as Error
      throw cause instanceof ForeignAddressRefused ? cause : error
    }
  }
  return {
    /** Throws ForeignAddressRefused for an address that may not be called. */
    check: (address: string): URL => readForeignAddress(address, allowsLoopback),
    /** Reads an address and, at most three times, where it leads to: each is checked. Throws ForeignAddressRefused, or what the call met. */
    async read(address: string, signal: AbortSignal): Promise<Response> {
      assertNoConnectionHeld('An address from outside')
      let url = readForeignAddress(address, allowsLoopback)
      for (let followed = 0; followed <= mostRedirects; followed += 1) {
        const response = await once(url, { signal, headers: { 'user-agent': 'Flashsheet' } })
        const location = response.headers.get('location')
        if (response.status < 300 || response.status >= 400 || location === null) return response
        await response.body?.cancel()
        url = readForeignAddress(new URL(location, url).href, allowsLoopback)
      }
      throw new ForeignAddressRefused('it leads from one address to the next')
    },
    /**
     * Sends JSON to an address, which is called once: a redirect is an answer like any other. Of the answer's body only the beginning
     * is read. Throws ForeignAddressRefused, or what the call met.
     */
    async post(
      address: string,
      { headers, body }: { headers: Record<string, string>; body: string },
      signal: AbortSignal,
    ): Promise<ForeignAnswer> {
      assertNoConnectionHeld('An address from outside')
      const url = readForeignAddress(address, allowsLoopback)
      const response = await once(url, {
        method: 'POST',
        signal,
        headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'Flashsheet' },
        body,
      })
      const answered = { status: response.status, retryAfter: response.headers.get('retry-after') }
      return { ...answered, text: await beginningOf(response, signal) }
    },
    stop: async (): Promise<void> => await dispatcher.destroy(),
  }
}

/** How a body begins. One that breaks off, or does not come to its end in time, is as long as it is: the status has been told. */
async function beginningOf({ body }: Response, signal: AbortSignal): Promise<string> {
  if (!body) return ''
  const pieces: Uint8Array[] = []
  let size = 0
  const reader = body.getReader()
  try {
    while (size < answerBytes && !signal.aborted) {
      const { done, value } = (await reader.read()) as { done: boolean; value?: Uint8Array }
      if (done || !value) break
      pieces.push(value)
      size += value.byteLength
    }
  } catch {
    // As above.
  } finally {
    await reader.cancel().catch(() => undefined)
  }
  return new TextDecoder().decode(Buffer.concat(pieces).subarray(0, answerBytes)).replaceAll('\0', '')
}
