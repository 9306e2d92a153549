import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { logAccess } from './access-log.ts'
import type { Logger } from './log.ts'
import type { HttpEnv } from './rest.ts'

test.each([
  ['/booking/AbCdEfGhIjKlMnOpQrStUv', '/booking/…'],
  ['/files/public/WyJtZWRpYS8x.c2lnbmF0dXJl', '/files/public/…'],
  ['/data-deletion/0123456789abcdef', '/data-deletion/…'],
  ['/s/mara-quill/booking/x', '/s/mara-quill/booking/x'],
  ['/files/gallery/AbCdEfGhIjKlMnOpQrStUv/320.webp', '/files/gallery/AbCdEfGhIjKlMnOpQrStUv/320.webp'],
])('the line of a request for %s has the path %s, without what opens a booking or a file', async (path, logged) => {
  const lines: object[] = []
  const write = (line: object) => void lines.push(line)
  const app = new Hono<HttpEnv>()
  app.use('*', logAccess({ info: write, debug: write } as unknown as Logger))
  app.get('*', (c) => c.text(''))
  await app.request(path, {}, { outgoing: { headersSent: false, destroyed: false } } as unknown as HttpEnv['Bindings'])
  expect(lines).toMatchObject([{ path: logged, status: 200 }])
})
