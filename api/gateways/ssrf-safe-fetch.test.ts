import type { LookupAddress } from 'node:dns'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { AddressRefused, isCallableIp, parsePublicAddress } from './public-address.ts'
import { createSsrfSafeFetch } from './ssrf-safe-fetch.ts'

const soon = () => AbortSignal.timeout(10_000)

describe('an address that is refused before any call', () => {
  test.each([
    'http://example.com/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'data:image/png;base64,AA==',
    'javascript:alert(1)',
    'https://user@example.com/',
    'https://user:secret@example.com/',
    'https://example.com:8443/',
    'https://example.com:22/',
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://0/',
    'https://0.0.0.0/',
    'https://10.0.0.1/',
    'https://100.64.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://172.16.0.1/',
    'https://172.31.255.255/',
    'https://192.168.1.1/',
    'https://192.0.0.1/',
    'https://198.18.0.1/',
    'https://224.0.0.1/',
    'https://255.255.255.255/',
    'https://[::]/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:a9fe:a9fe]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[2002:7f00:1::]/',
    'https://[fc00::1]/',
    'https://[fd12:3456::1]/',
    'https://[fe80::1]/',
    'https://[ff02::1]/',
    'nonsense',
    '',
    '//example.com/',
  ])('%s', async (address) => {
    expect(() => parsePublicAddress(address, false)).toThrow(AddressRefused)
    const safeFetch = createSsrfSafeFetch({ allowsLoopback: false })
    await expect(safeFetch.read(address, soon())).rejects.toThrow(AddressRefused)
    await expect(safeFetch.post(address, { headers: {}, body: '{}' }, soon())).rejects.toThrow(AddressRefused)
    await safeFetch.stop()
  })

  test.each([
    ['0.0.0.0', '0.255.255.255'],
    ['10.0.0.0', '10.255.255.255'],
    ['100.64.0.0', '100.127.255.255'],
    ['127.0.0.0', '127.255.255.255'],
    ['169.254.0.0', '169.254.255.255'],
    ['172.16.0.0', '172.31.255.255'],
    ['192.0.0.0', '192.0.0.255'],
    ['192.0.2.0', '192.0.2.255'],
    ['192.88.99.0', '192.88.99.255'],
    ['192.168.0.0', '192.168.255.255'],
    ['198.18.0.0', '198.19.255.255'],
    ['198.51.100.0', '198.51.100.255'],
    ['203.0.113.0', '203.0.113.255'],
    ['224.0.0.0', '255.255.255.255'],
    ['::', '::1'],
    ['64:ff9b::', '64:ff9b::ffff:ffff'],
    ['64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
    ['100::', '100::ffff:ffff:ffff:ffff'],
    ['2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['fe80::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ])('the range from %s to %s', (first, last) => {
    expect([isCallableIp(first, false), isCallableIp(last, false)]).toEqual([false, false])
  })

  test('a public address is accepted', () => {
    for (const address of ['https://example.com/a.jpg?b=c', 'https://8.8.8.8/', 'https://[2606:4700::1111]/'])
      expect(parsePublicAddress(address, false).href).toBe(address)
  })

  test('with the sandbox loopback is accepted, but no other private address', () => {
    expect(parsePublicAddress('http://localhost:3000/x', true).port).toBe('3000')
    expect(parsePublicAddress('http://127.0.0.1:3000/x', true).port).toBe('3000')
    for (const address of [
      'http://10.0.0.1/',
      'https://192.168.1.1/',
      'http://example.com/',
      'https://169.254.169.254/',
    ])
      expect(() => parsePublicAddress(address, true)).toThrow(AddressRefused)
    expect(isCallableIp('169.254.169.254', true)).toBe(false)
  })
})

describe('a name', () => {
  const leadingTo = (...addresses: LookupAddress[]) =>
    createSsrfSafeFetch({ allowsLoopback: false, resolve: (_host, done) => done(null, addresses) })

  test.each([
    ['into a private network', [{ address: '10.0.0.8', family: 4 }]],
    ['to this host', [{ address: '127.0.0.1', family: 4 }]],
    ['to the metadata of a cloud', [{ address: '169.254.169.254', family: 4 }]],
    ['to this host, written as IPv6', [{ address: '::ffff:127.0.0.1', family: 6 }]],
    [
      'both to the internet and inside',
      [
        { address: '8.8.8.8', family: 4 },
        { address: 'fd00::1', family: 6 },
      ],
    ],
    ['nowhere', []],
  ])('that resolves %s is refused when connecting', async (_where, addresses) => {
    const safeFetch = leadingTo(...addresses)
    await expect(safeFetch.read('https://rebound.example/', soon())).rejects.toThrow(AddressRefused)
    const sent = safeFetch.post('https://rebound.example/', { headers: {}, body: '{}' }, soon())
    await expect(sent).rejects.toThrow(AddressRefused)
    await safeFetch.stop()
  })

  test('is resolved once for each connection, so the checked address is the called one', async () => {
    const asked: string[] = []
    const answers = ['127.0.0.1', '8.8.8.8']
    const safeFetch = createSsrfSafeFetch({
      allowsLoopback: false,
      resolve: (host, done) => {
        asked.push(host)
        done(null, [{ address: answers[asked.length - 1] ?? '127.0.0.1', family: 4 }])
      },
    })
    await expect(safeFetch.read('https://changing.example/', soon())).rejects.toThrow(AddressRefused)
    expect(asked).toEqual(['changing.example'])
    await safeFetch.stop()
  })
})

async function served<T>(listener: RequestListener, work: (url: string) => Promise<T>): Promise<T> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.close()
  }
}

test('a name that resolves to a private address at the next call is refused, since no connection is reused', async () => {
  const answers = ['127.0.0.1', '10.0.0.8']
  const safeFetch = createSsrfSafeFetch({
    allowsLoopback: true,
    resolve: (_host, done) => done(null, [{ address: answers.shift() ?? '', family: 4 }]),
  })
  const body = { headers: {}, body: '{}' }
  await served(
    (_request, response) => response.writeHead(204).end(),
    async (url) => {
      const named = url.replace('127.0.0.1', 'localhost')
      expect((await safeFetch.post(named, body, soon())).status).toBe(204)
      await expect(safeFetch.post(named, body, soon())).rejects.toThrow(AddressRefused)
    },
  )
  await safeFetch.stop()
})

describe('a redirect', () => {
  const safeFetch = createSsrfSafeFetch({ allowsLoopback: true })

  test.each(['http://10.0.0.1/', 'file:///etc/passwd', 'https://169.254.169.254/'])('to %s is refused', async (to) => {
    await served(
      (_request, response) => response.writeHead(302, { location: to }).end(),
      async (url) => await expect(safeFetch.read(url, soon())).rejects.toThrow(AddressRefused),
    )
  })

  test('of a POST is returned and not followed', async () => {
    let calls = 0
    const listener: RequestListener = (_request, response) => {
      calls += 1
      response.writeHead(307, { location: '/elsewhere' }).end('there')
    }
    await served(listener, async (url) => {
      const answer = await safeFetch.post(url, { headers: {}, body: '{}' }, soon())
      expect(answer).toEqual({ status: 307, retryAfter: null, text: 'there' })
    })
    expect(calls).toBe(1)
  })

  test('is followed three times, and no more', async () => {
    const hops =
      (most: number): RequestListener =>
      (request, response) => {
        const at = Number(request.url?.slice(1))
        if (at < most) response.writeHead(302, { location: `/${at + 1}` }).end()
        else response.end('there')
      }
    await served(hops(3), async (url) => expect(await (await safeFetch.read(`${url}/0`, soon())).text()).toBe('there'))
    await served(
      hops(4),
      async (url) => await expect(safeFetch.read(`${url}/0`, soon())).rejects.toThrow(AddressRefused),
    )
  })
})
