import { afterEach, expect, test, vi } from 'vitest'
import { sendFiles } from './send-files.ts'

afterEach(() => vi.restoreAllMocks())

const fileOf = (bytes: number) => Object.defineProperty(new File(['x'], 'a.jpg'), 'size', { value: bytes })

test('an upload may take as long as a slow phone connection needs for all its files', async () => {
  vi.spyOn(globalThis, 'fetch').mockResolvedValue(Response.json({}))
  const timeout = vi.spyOn(AbortSignal, 'timeout')
  await sendFiles('/api/websitebuilder/upload', 'files', [fileOf(20_000_000), fileOf(10_000_000)])
  const allowedMs = timeout.mock.calls[0]?.[0] ?? 0
  expect(allowedMs / 1000).toBeGreaterThan(30_000_000 / 20_000)
})

test('the body of a refusal is thrown', async () => {
  const refusal = { message: 'Your library is full.', code: 'full' }
  vi.spyOn(globalThis, 'fetch').mockResolvedValue(Response.json(refusal, { status: 409 }))
  await expect(sendFiles('/api/websitebuilder/upload', 'files', [fileOf(1)])).rejects.toEqual(refusal)
})
