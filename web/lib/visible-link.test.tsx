import type { AppRouter } from '@flashsheet/api'
import { createTRPCClient, type TRPCLink } from '@trpc/client'
import { observable } from '@trpc/server/observable'
import { onTestFinished, expect, test, vi } from 'vitest'
import { trpcClient } from './trpc.ts'
import { visibleLink } from './visible-link.ts'

/** A subscription through the link; `streams` lists how those that it opened were ended. */
function subscribed(visibility: DocumentVisibilityState, eventSource?: EventSource) {
  const state = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(visibility)
  onTestFinished(() => state.mockRestore())
  const streams: ('open' | 'closed')[] = []
  const received: unknown[] = []
  const server: TRPCLink<AppRouter> = () => () =>
    observable((observer) => {
      const index = streams.push('open') - 1
      observer.next({ result: { type: 'data', data: { drafts: 'changed' } }, context: { eventSource } })
      return () => (streams[index] = 'closed')
    })
  const client = createTRPCClient<AppRouter>({ links: [visibleLink, server] })
  const subscription = client.drafts.watch.subscribe(undefined, { onData: (data) => received.push(data) })
  onTestFinished(() => subscription.unsubscribe())
  const become = (next: DocumentVisibilityState) => {
    state.mockReturnValue(next)
    document.dispatchEvent(new Event('visibilitychange'))
  }
  return { streams, received, become, subscription }
}

test('a window in the background keeps no stream, and has the current state when it is seen again', () => {
  const { streams, received, become } = subscribed('visible')
  become('hidden')
  expect(streams).toEqual(['closed'])
  become('visible')
  become('visible')
  expect(streams).toEqual(['closed', 'open'])
  expect(received).toHaveLength(2)
})

test('a stream of a window in the background is closed again when the browser opens it again', () => {
  const source = new EventSource('/trpc/drafts.watch')
  const close = vi.spyOn(source, 'close')
  const { become } = subscribed('visible', source)
  become('hidden')
  // WebKit reports so that it opens the stream again.
  source.dispatchEvent(new Event('error'))
  expect(close).toHaveBeenCalledTimes(1)
})

test('a window that is opened in the background opens its stream when it is seen', () => {
  const { streams, become } = subscribed('hidden')
  expect(streams).toEqual([])
  become('visible')
  expect(streams).toEqual(['open'])
})

test('a subscription that was ended opens no stream when the window is seen again', () => {
  const { streams, become, subscription } = subscribed('visible')
  become('hidden')
  subscription.unsubscribe()
  become('visible')
  expect(streams).toEqual(['closed'])
})

test('a stream of the client of the app is opened only in a visible window, and again when the window is seen again', async () => {
  const state = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  const opened: string[] = []
  class Source extends EventTarget {
    constructor(url: string) {
      super()
      opened.push(url)
    }
    close() {}
  }
  vi.stubGlobal('EventSource', Source)
  onTestFinished(() => void vi.unstubAllGlobals())
  onTestFinished(() => state.mockRestore())
  const hidden = trpcClient.drafts.watch.subscribe(undefined, {})
  state.mockReturnValue('visible')
  const visible = trpcClient.notices.watch.subscribe(undefined, {})
  onTestFinished(() => [hidden, visible].forEach((one) => one.unsubscribe()))
  // Streams are opened in the order of their subscriptions.
  const paths = () => opened.map((url) => url.replace(/\?.*/, ''))
  await expect.poll(paths).toEqual(['/trpc/notices.watch'])
  hidden.unsubscribe()
  state.mockReturnValue('hidden')
  document.dispatchEvent(new Event('visibilitychange'))
  state.mockReturnValue('visible')
  document.dispatchEvent(new Event('visibilitychange'))
  await expect.poll(paths).toEqual(['/trpc/notices.watch', '/trpc/notices.watch'])
})
