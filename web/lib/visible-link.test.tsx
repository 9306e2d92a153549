import type { AppRouter } from '@flashsheet/api'
import { createTRPCClient, type TRPCLink } from '@trpc/client'
import { observable } from '@trpc/server/observable'
import { onTestFinished, expect, test, vi } from 'vitest'
import { trpcClient } from './trpc.ts'
import { visibleLink } from './visible-link.ts'

/** A subscription through the link; `streams` lists how those that it opened were ended. */
function subscribed(visibility: DocumentVisibilityState) {
  const state = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(visibility)
  onTestFinished(() => state.mockRestore())
  const streams: ('open' | 'closed')[] = []
  const received: unknown[] = []
  const server: TRPCLink<AppRouter> = () => () =>
    observable((observer) => {
      const index = streams.push('open') - 1
      observer.next({ result: { type: 'data', data: { drafts: 'changed' } } })
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

/** The streams of the client of the app, in the order of their subscriptions, without a server. */
function streamsOfApp() {
  const state = vi.spyOn(document, 'visibilityState', 'get')
  onTestFinished(() => state.mockRestore())
  const sources: Source[] = []
  class Source extends EventTarget {
    readonly path: string
    closed = 0
    constructor(url: string) {
      super()
      this.path = url.replace(/\?.*/, '')
      sources.push(this)
    }
    close() {
      this.closed++
    }
  }
  vi.stubGlobal('EventSource', Source)
  onTestFinished(() => void vi.unstubAllGlobals())
  const become = (visibility: DocumentVisibilityState) => {
    state.mockReturnValue(visibility)
    document.dispatchEvent(new Event('visibilitychange'))
  }
  return { sources, state, become }
}

test('a stream of the client of the app is opened only in a visible window, and again when the window is seen again', async () => {
  const { sources, state, become } = streamsOfApp()
  state.mockReturnValue('hidden')
  const hidden = trpcClient.drafts.watch.subscribe(undefined, {})
  state.mockReturnValue('visible')
  const visible = trpcClient.notices.watch.subscribe(undefined, {})
  onTestFinished(() => visible.unsubscribe())
  const paths = () => sources.map(({ path }) => path)
  await expect.poll(paths).toEqual(['/trpc/notices.watch'])
  hidden.unsubscribe()
  become('hidden')
  become('visible')
  await expect.poll(paths).toEqual(['/trpc/notices.watch', '/trpc/notices.watch'])
})

test('a stream of a window in the background is closed again when the browser opens it again', async () => {
  const { sources, become } = streamsOfApp()
  become('visible')
  const started = Promise.withResolvers<void>()
  const subscription = trpcClient.notices.watch.subscribe(undefined, { onStarted: () => started.resolve() })
  onTestFinished(() => subscription.unsubscribe())
  await expect.poll(() => sources).toHaveLength(1)
  sources[0]?.dispatchEvent(new MessageEvent('connected', { data: '{}' }))
  await started.promise
  become('hidden')
  await expect.poll(() => sources[0]?.closed).toBe(1)
  // WebKit reports so that it opens the stream again.
  sources[0]?.dispatchEvent(new Event('error'))
  expect(sources[0]?.closed).toBe(2)
})
