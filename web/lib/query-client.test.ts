import { onlineManager, QueryObserver } from '@tanstack/react-query'
import { TRPCClientError } from '@trpc/client'
import { expect, test, vi } from 'vitest'
import { createQueryClient } from './query-client.ts'

test('unused data is dropped after 60 s, and fetched data is fresh for 5 s', () => {
  expect(createQueryClient().getDefaultOptions().queries).toMatchObject({ gcTime: 60_000, staleTime: 5_000 })
})

const refused = (code: string, httpStatus: number) =>
  TRPCClientError.from({
    error: {
      code: -32603,
      message: 'x',
      data: { code: 'X', httpStatus, refusal: { message: 'Away for a moment.', code } },
    },
  } as never)

test.each([
  ['a temporarily unavailable server', refused('unavailable', 503), true],
  ['a refusal', refused('forbidden', 403), false],
  ['a failure of our own', refused('internal', 500), false],
])('%s is refetched automatically: %s', (_what, error, isRefetched) => {
  const { refetchInterval } = createQueryClient().getDefaultOptions().queries ?? {}
  const interval =
    typeof refetchInterval === 'function' ? refetchInterval({ state: { error } } as never) : refetchInterval
  expect(interval !== false).toBe(isRefetched)
})

test('what could not be loaded without a connection is requested again once it is back', async () => {
  const client = createQueryClient()
  client.mount()
  onlineManager.setOnline(false)
  const queryFn = vi.fn<() => Promise<string>>().mockRejectedValue(new TypeError('Failed to fetch'))
  new QueryObserver(client, { queryKey: ['shown'], queryFn, retry: false }).subscribe(() => {})
  await expect.poll(() => client.isFetching()).toBe(0)
  onlineManager.setOnline(true)
  await expect.poll(() => queryFn.mock.calls.length).toBe(2)
  client.unmount()
})
