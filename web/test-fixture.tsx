import type { AppRouter } from '@flashsheet/api'
import type { ErrorBody } from '@flashsheet/contracts/errors/schema'
import { planIds } from '@flashsheet/contracts/plans'
import type { Subscription } from '@flashsheet/contracts/subscription/schema'
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterProvider,
  type AnyRoute,
} from '@tanstack/react-router'
import { TRPCClientError, type TRPCLink } from '@trpc/client'
import { createTRPCQueryUtils } from '@trpc/react-query'
import { observable } from '@trpc/server/observable'
import type { ReactNode } from 'react'
import { expect } from 'vitest'
import type { Locator } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { libraryPicture } from './features/media/media-fixture.ts'
import { createQueryClient } from './lib/query-client.ts'
import { trpc, type RouterInputs, type RouterOutputs } from './lib/trpc.ts'

/** The server's answer to each procedure. It may throw `refusal` or `noConnection`, or be a promise that the test resolves later. */
export type Answers = {
  [Noun in keyof RouterOutputs]?: {
    [Procedure in keyof RouterOutputs[Noun] & keyof RouterInputs[Noun]]?: (
      input: RouterInputs[Noun][Procedure],
    ) => RouterOutputs[Noun][Procedure] | Promise<RouterOutputs[Noun][Procedure]>
  }
}

/** The artist who is signed in. */
export const ada = {
  _id: '019a0000-0000-7000-8000-000000000001',
  name: 'Ada Inkwell',
  email: 'ada@studio.example',
  isAdmin: false,
  isActive: true,
  isEmailVerified: true,
}

/** Her subscription, of the smaller plan. */
export const lineWork: Subscription = {
  plan: planIds[0],
  status: 'active',
  currentPeriodStart: null,
  currentPeriodEnd: null,
  cancelAtPeriodEnd: false,
}

const dot = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=='
/** A picture of her library. */
export const koi = libraryPicture('019a0000-0000-7000-8000-000000000010', {
  url: dot,
  thumbnailUrl: dot,
  fileName: 'koi.jpg',
  name: 'koi',
  createdAt: '2039-11-01T12:00:00.000Z',
  dimensions: { width: 1, height: 1 },
})

/** The error of a call that the server refused with this body. */
export const refusal = (httpStatus: number, body: ErrorBody): Error =>
  TRPCClientError.from({ error: { message: body.message, code: -32600, data: { httpStatus, refusal: body } } })

/** The error of a call that never reached the server. */
export const noConnection = (): Error => TRPCClientError.from(new TypeError('Failed to fetch'))

/** A double click whose second press comes before anything is rendered. */
export async function clickTwice(button: Locator): Promise<HTMLElement> {
  await expect.element(button).toBeEnabled()
  const element = button.element() as HTMLElement
  element.click()
  element.click()
  return element
}

/**
 * Presses the first of these buttons, one in each row of a list, which removes it. Returns what the second press of a double click
 * would then hit, because it is where the pressed button was.
 */
export async function hitBySecondPress(buttons: Locator): Promise<Element | null> {
  const [first] = buttons.elements()
  if (!first) throw new Error('There is no such button')
  const count = buttons.elements().length
  first.scrollIntoView({ block: 'center' })
  const { x, y, width, height } = first.getBoundingClientRect()
  const hit = Promise.withResolvers<Element | null>()
  const observer = new MutationObserver(() => {
    if (buttons.elements().length === count) return
    observer.disconnect()
    hit.resolve(document.elementFromPoint(x + width / 2, y + height / 2)?.closest('a, button, input') ?? null)
  })
  observer.observe(document.body, { childList: true, subtree: true })
  await buttons.first().click()
  return await hit.promise
}

type Call = { path: string; input: unknown }

const answeringLink =
  (answers: Answers, calls: Call[]): TRPCLink<AppRouter> =>
  () =>
  ({ op: { path, input, type } }) =>
    observable((observer) => {
      // An event stream stays open without events.
      if (type === 'subscription') return
      calls.push({ path, input })
      const [noun = '', procedure = ''] = path.split('.')
      const table: Record<string, Record<string, (input: never) => unknown> | undefined> = answers
      const answer = table[noun]?.[procedure]
      // An uncaught error fails the run: a component must not call a procedure that its test has no answer for.
      if (!answer) reportError(new Error(`The test has no answer to ${path}`))
      else
        void (async () => await answer(input as never))().then(
          (data) => {
            observer.next({ result: { data } })
            observer.complete()
          },
          (error: unknown) => observer.error(TRPCClientError.from<AppRouter>(error as Error)),
        )
    })

/** The procedures for loaders and guards, from a server that gives these answers. */
export const utilsWithAnswers = (queryClient: QueryClient, answers: Answers) =>
  createTRPCQueryUtils({ queryClient, client: trpc.createClient({ links: [answeringLink(answers, [])] }) })

/**
 * Renders part of a screen with the query cache of the app, a router at the path `at` and a server that gives these
 * answers. `calls` lists the calls that it received.
 */
export async function renderWithAnswers(element: ReactNode, answers: Answers, at = '/') {
  return await renderTree(createRootRoute({ component: () => element, notFoundComponent: () => null }), answers, at)
}

/** Like `renderWithAnswers`, with the screen of a route file, which reads and writes the parameters of the URL. The router scrolls as in the app. `path`: the route's path. */
export async function renderRoute(route: AnyRoute, path: string, answers: Answers, at = path) {
  const root = createRootRoute()
  const update = { id: path, path, getParentRoute: () => root }
  return await renderTree(root.addChildren([route.update(update as never)]), answers, at, true)
}

async function renderTree(routeTree: AnyRoute, answers: Answers, at: string, scrollRestoration = false) {
  const calls: Call[] = []
  const queryClient = createQueryClient()
  const { queries, ...others } = queryClient.getDefaultOptions()
  queryClient.setDefaultOptions({ ...others, queries: { ...queries, retryDelay: 0 } })
  const router = createRouter({
    routeTree,
    history: createMemoryHistory({ initialEntries: [at] }),
    scrollRestoration,
  })
  const screen = await render(
    <trpc.Provider client={trpc.createClient({ links: [answeringLink(answers, calls)] })} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </trpc.Provider>,
  )
  return Object.assign(screen, { calls, router })
}

/** The words that are broken within, at the end of a line. */
export function brokenWords(root: Element): string[] {
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const broken: string[] = []
  for (let text = texts.nextNode(); text; text = texts.nextNode())
    for (const { 0: word, index } of (text.nodeValue ?? '').matchAll(/[^\s-]+/g)) {
      const range = document.createRange()
      range.setStart(text, index)
      range.setEnd(text, index + word.length)
      if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) broken.push(word)
    }
  return broken
}
