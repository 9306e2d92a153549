import type { AppRouter } from '@flashsheet/api'
import { createTRPCClient, httpBatchLink } from '@trpc/client'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { failureOf, isUnavailable } from './failure.ts'
import { fetchJson } from './trpc.ts'

/** The error of a call that something between browser and server answers with this page. */
async function errorOfCall(status: number, contentType: string, body: string): Promise<unknown> {
  const server = createServer((_request, response) =>
    response.writeHead(status, { 'Content-Type': contentType }).end(body),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/trpc`
  const client = createTRPCClient<AppRouter>({
    links: [httpBatchLink({ url, fetch: fetchJson })],
  })
  try {
    return await client.social.platforms.query().catch((error: unknown) => error)
  } finally {
    server.close()
  }
}

test.each([
  [502, 'text/html', '<h1>Bad Gateway</h1>', '502', false],
  [503, 'text/html', '<h1>Service Unavailable</h1>', '503', true],
  [503, 'text/plain', '', '503', true],
  [504, 'application/json', '{"error":"timeout"}', '504', false],
  [200, 'text/html', '<h1>Log in to this network</h1>', 'PARSING_ERROR', false],
])('a proxy’s answer with status %i and type %s (%s) is %s, and is repeated: %s', async (...given) => {
  const [status, contentType, body, code, isRepeated] = given
  const error = await errorOfCall(status, contentType, body)
  expect(failureOf(error, 'Failed to get plans')).toMatchObject({ code, message: 'Failed to get plans' })
  expect(isUnavailable(error)).toBe(isRepeated)
})
