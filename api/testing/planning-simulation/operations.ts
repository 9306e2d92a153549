import { subscriptions } from '@flashsheet/db/schema/subscription'
import { retryOnDeadlock } from '@flashsheet/db/retry-on-deadlock'
import { TRPCClientError } from '@trpc/client'
import { eq } from 'drizzle-orm'
import { ownerScope } from '../../core/scope.ts'
import type { AppRouter } from '../../router.ts'
import type { Artist as Client, Visitor } from '../actors.ts'
import type { connectAssistant } from '../assistant.ts'
import type { Random } from '../random.ts'
import * as model from './model.ts'
import { type Answer, type Artist, day, hour, minute, second, type When, type Words } from './model.ts'
import type { World } from './world.ts'

/** One of the two artists: as a browser, as a program with a key, and as an assistant; with the media of the library. */
export type Person = {
  client: Client
  program: Visitor
  assistant: Awaited<ReturnType<typeof connectAssistant>>
  mediaIds: string[]
}

/** One run: the product's two artists, and what the model knows of them. */
export type Run = {
  world: World
  random: Random
  people: readonly Person[]
  artists: Artist[]
  /** The product's ids by the model's keys: of posts, targets and drafts. */
  ids: Map<string, string>
  /** Makes the keys and texts of a run unique. */
  name: string
  count: number
}

export type Sent = { status: number; id?: string | undefined; body?: unknown }

/** `act` is the model's version of `send`. An operation may be sent several times. */
export type Operation = {
  name: string
  which: number
  /** The key of the post that it is about. */
  post?: string
  /** It may be refused if something else changes its draft at the same moment. */
  mayConflict?: boolean
  send: () => Promise<Sent>
  act: (artist: Artist, now: number) => Answer
}

type Trpc = Client['trpc']
/** The same call through each interface that has it. */
type Call = {
  rest?: { method: 'post' | 'put' | 'delete'; path: string; body?: Record<string, unknown>; key?: string }
  trpc?: (trpc: Trpc) => Promise<unknown>
  tool?: [name: string, args: Record<string, unknown>]
}

const statusByCode: Record<string, number> = { notFound: 404, conflict: 409, full: 409, invalid: 400 }

/** Chooses an interface; each time that the result is called, the call is sent through it. */
function through({ random, people }: Run, which: number, call: Call): () => Promise<Sent> {
  const { client, program, assistant } = people[which]!
  const { rest, trpc, tool } = call
  const ways: (() => Promise<Sent>)[] = []
  if (rest) {
    const { method, path, body, key } = rest
    const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key }
    const by = random.oneIn(2) ? client : program
    ways.push(async () => {
      const { status, body: answer } = await by[method](path, body, headers)
      return { status: status < 300 ? 200 : status, id: (answer as { _id?: string })._id, body: answer }
    })
  }
  if (trpc)
    ways.push(async () => {
      try {
        const answer = await trpc(client.trpc)
        return { status: 200, id: (answer as { _id?: string })._id, body: answer }
      } catch (error) {
        if (!(error instanceof TRPCClientError)) throw error
        const { data } = error as TRPCClientError<AppRouter>
        return { status: data?.httpStatus ?? 0, body: data }
      }
    })
  if (tool)
    ways.push(async () => {
      const { answer, refusal } = await assistant.call<{
        _id?: string
        draft?: { _id: string }
        post?: { _id: string }
      }>(...tool)
      if (refusal) return { status: statusByCode[String(refusal['code'])] ?? 403, body: refusal }
      return { status: 200, id: answer._id ?? answer.draft?._id ?? answer.post?._id, body: answer }
    })
  return random.pick(ways)
}

const wireTime = (when: When) => (typeof when === 'number' ? new Date(when).toISOString() : when)
export const wirePage = ({ account, pageId }: model.Page) => ({ socialAccountId: account, pageId })
const wireWords = (words: readonly Words[]) =>
  words.map(({ page, title, message }) => ({ platform: page.platform, ...wirePage(page), title, message, options: {} }))

export const allPages = ({ accounts }: Artist): model.Page[] =>
  accounts.flatMap(({ id, platform, pages }) => pages.map((pageId) => ({ account: id, platform, pageId })))

function randomWords(run: Run, artist: Artist): Words[] {
  const { random } = run
  const pages = allPages(artist).filter(() => random.chance(0.45))
  return pages.slice(0, random.whole(1, 3)).map((page) => ({ page, ...randomText(run) }))
}
const randomText = (run: Run) => ({
  title: run.random.oneIn(3) ? `Title ${run.count}` : '',
  message: `${run.name} v${++run.count}`,
})
const randomMedia = ({ random, people }: Run, which: number) =>
  random.pick([people[which]!.mediaIds.slice(0, 1), people[which]!.mediaIds.slice(1), people[which]!.mediaIds])
const randomTime = ({ random }: Run, now: number): number =>
  now +
  random.pick([-10 * minute, -30 * second, 2 * minute, 2 * minute, 20 * minute, 50 * minute, 3 * hour, day, 3 * day]) +
  random.whole(0, 50) * second

type Make = (run: Run, which: number, now: number) => Operation | undefined

const create: Make = (run, which, now) => {
  const artist = run.artists[which]!
  const words = randomWords(run, artist)
  // Another artist's page, or one that was disconnected.
  if (words[0] && run.random.oneIn(25)) words[0].page = allPages(run.artists[1 - which]!)[0] ?? words[0].page
  const when = run.random.pick<When>(['now', 'next-slot', 'next-slot', randomTime(run, now), randomTime(run, now)])
  const mediaIds = randomMedia(run, which)
  const key = `p${++run.count}`
  const earlier = run.random.oneIn(12) ? run.random.pick([undefined, ...artist.posts])?.requestId : undefined
  const requestId = earlier && !earlier.startsWith('draft:') ? earlier : `${run.name} ${key}`
  const creation = { key, requestId, when, mediaIds, words, request: JSON.stringify([when, mediaIds, words]) }
  const body = { mediaIds, variants: wireWords(words) }
  const isNow = when === 'now'
  const scheduledAt = wireTime(when)
  return {
    name: `create ${key} ${scheduledAt} to ${words.length}`,
    which,
    act: (one, at) => model.create(one, creation, at),
    send: through(run, which, {
      rest: {
        method: 'post',
        path: isNow ? '/api/posts' : '/api/posts/schedule',
        body: isNow ? body : { ...body, scheduledAt },
        key: requestId,
      },
      trpc: async ({ posts }) =>
        isNow
          ? await posts.create.mutate({ ...body, requestId })
          : await posts.schedule.mutate({ ...body, scheduledAt, requestId }),
      ...(isNow ? { tool: ['post_now', { ...body, requestId }] } : {}),
    }),
  }
}

/** An operation on a post, sometimes tried by the other artist. */
const onPost =
  (
    make: (
      run: Run,
      key: string,
      postId: string,
      now: number,
      artist: Artist,
    ) => { name: string; call: Call; act: Operation['act'] },
  ): Make =>
  (run, which, now) => {
    const { random, ids } = run
    const artist = run.artists[which]!
    const known = artist.posts.filter(({ key, isDeleted }) => ids.has(key) && (!isDeleted || random.oneIn(10)))
    if (known.length === 0) return undefined
    const open = known.filter((post) => model.statusOf(post) !== 'posted')
    const near = open.toSorted((a, b) => Math.abs(a.scheduledAt - now) - Math.abs(b.scheduledAt - now))
    const { key } =
      near[0] && random.oneIn(2) ? near[0] : random.pick(open.length > 0 && random.chance(0.8) ? open : known)
    const by = random.oneIn(20) ? 1 - which : which
    const { name, call, act } = make(run, key, ids.get(key)!, now, artist)
    return {
      name: `${name} ${key}${by === which ? '' : ' of the other'}`,
      which: by,
      post: key,
      act,
      send: through(run, by, call),
    }
  }

const edit = onPost((run, key, postId, now, artist) => {
  const { random, ids } = run
  const post = artist.posts.find((one) => one.key === key)!
  const change: model.Change = {}
  if (random.oneIn(2)) change.at = random.oneIn(4) ? post.scheduledAt : randomTime(run, now)
  if (random.oneIn(5)) change.leavesQueue = true
  const words = post.targets.filter((target) => ids.has(target.key) && random.oneIn(2))
  if (words.length > 0)
    change.words = words.map((one) => {
      const { title, message } = randomText(run)
      return random.oneIn(3) ? { key: one.key, message } : { key: one.key, title, message }
    })
  const body = {
    ...(change.at === undefined ? {} : { scheduledAt: new Date(change.at).toISOString() }),
    ...(change.leavesQueue ? { leavesQueue: true } : {}),
    ...(change.words
      ? { variants: change.words.map(({ key: one, ...rest }) => ({ _id: ids.get(one)!, ...rest })) }
      : {}),
  }
  return {
    name: `edit ${Object.keys(body).join()} ${body.scheduledAt ?? ''}`,
    call: {
      rest: { method: 'put', path: `/api/posts/${postId}`, body },
      trpc: async ({ posts }) => await posts.update.mutate({ postId, ...body }),
    },
    act: (one, at) => model.update(one, key, change, at),
  }
})

const cancel = onPost((run, key, postId) => {
  const isAny = run.random.oneIn(3)
  return {
    name: isAny ? 'delete' : 'cancel',
    call: isAny
      ? { trpc: async ({ posts }) => await posts.remove.mutate({ postId }) }
      : {
          rest: { method: 'delete', path: `/api/posts/${postId}` },
          trpc: async ({ posts }) => await posts.cancel.mutate({ postId }),
          tool: ['delete_post', { postId }],
        },
    act: (one) => model.remove(one, key, isAny),
  }
})

const publishNow = onPost((_run, key, postId) => ({
  name: 'publish now',
  call: {
    rest: { method: 'post', path: `/api/posts/${postId}/publish` },
    trpc: async ({ posts }) => await posts.publishNow.mutate({ postId }),
  },
  act: (one, at) => model.publishNow(one, key, at),
}))

const retry = onPost((run, key, postId, _now, artist) => {
  const { random, ids } = run
  const targets = artist.posts.find((one) => one.key === key)!.targets.filter((one) => ids.has(one.key))
  const failed = targets.filter(({ state }) => state === 'failed')
  const target = random.pick([undefined, ...(failed.length > 0 ? failed : targets)])
  const variantId = target && ids.get(target.key)!
  if (target && variantId && random.oneIn(3))
    return {
      name: 'post again',
      call: { trpc: async ({ posts }) => await posts.postAgain.mutate({ postId, variantId }) },
      act: (one, at) => model.retry(one, key, target.key, true, at),
    }
  const input = { postId, ...(variantId ? { variantId } : {}) }
  return {
    name: 'retry',
    call: {
      rest: { method: 'post', path: `/api/posts/${postId}/retry`, body: variantId ? { variantId } : {} },
      trpc: async ({ posts }) => await posts.retry.mutate(input),
      tool: ['retry_post', input],
    },
    act: (one, at) => model.retry(one, key, target?.key, false, at),
  }
})

const duplicate = onPost((run, key, postId) => {
  const [copy, requestId] = [`d${++run.count}`, `${run.name} copy ${run.count}`]
  return {
    name: `duplicate as ${copy}`,
    call: {
      rest: { method: 'post', path: `/api/posts/${postId}/duplicate`, key: requestId },
      trpc: async ({ drafts }) => await drafts.duplicate.mutate({ postId, requestId }),
    },
    act: (one) => {
      const post = model.findPost(one, key)
      if (!one.isPaying || !post) return { status: one.isPaying ? 404 : 403 }
      const targets = post.targets.filter((target) => model.isConnected(one, target) && !target.isStripped)
      const words = targets.map(({ account, platform, pageId, title, message }) => {
        return { page: { account, platform, pageId }, title, message }
      })
      return model.createDraft(one, { key: copy, requestId, mediaIds: post.mediaIds, words })
    },
  }
})

const createDraft: Make = (run, which) => {
  const [words, mediaIds, key] = [randomWords(run, run.artists[which]!), randomMedia(run, which), `d${++run.count}`]
  const requestId = `${run.name} ${key}`
  const body = { mediaIds, variants: wireWords(words) }
  return {
    name: `create draft ${key}`,
    which,
    act: (one) => model.createDraft(one, { key, requestId, mediaIds, words }),
    send: through(run, which, {
      rest: { method: 'post', path: '/api/drafts', body, key: requestId },
      trpc: async ({ drafts }) => await drafts.create.mutate({ ...body, requestId }),
      tool: ['create_draft', { ...body, requestId }],
    }),
  }
}

const useDraft: Make = (run, which, now) => {
  const { random, ids } = run
  const artist = run.artists[which]!
  const known = artist.drafts.filter(({ key, isDeleted }) => ids.has(key) && (!isDeleted || random.oneIn(4)))
  if (known.length === 0) return undefined
  const draft = random.pick(known)
  const { key } = draft
  const draftId = ids.get(key)!
  const by = random.oneIn(20) ? 1 - which : which
  const version = draft.version - (random.oneIn(8) ? 1 : 0)
  const kind = random.pick(['post', 'post', 'change', 'change', 'delete'] as const)
  const base = { name: `${kind} draft ${key}`, which: by }
  if (kind === 'delete')
    return {
      ...base,
      act: (one) => model.removeDraft(one, key),
      send: through(run, by, {
        rest: { method: 'delete', path: `/api/drafts/${draftId}` },
        trpc: async ({ drafts }) => await drafts.remove.mutate({ draftId }),
      }),
    }
  if (kind === 'change') {
    const words = randomWords(run, run.artists[by]!)
    const body = { version, variants: wireWords(words) }
    return {
      ...base,
      act: (one) => model.changeDraft(one, key, version, words),
      send: through(run, by, {
        rest: { method: 'put', path: `/api/drafts/${draftId}`, body },
        trpc: async ({ drafts }) => await drafts.update.mutate({ draftId, ...body }),
        tool: ['update_draft', { draftId, ...body }],
      }),
    }
  }
  const when = random.pick<When>(['now', 'next-slot', 'next-slot', randomTime(run, now)])
  const sent = random.oneIn(2) ? version : undefined
  const postKey = `p${++run.count}`
  const body = { when: wireTime(when), ...(sent === undefined ? {} : { version: sent }) }
  return {
    ...base,
    name: `${base.name} as ${postKey} ${body.when}`,
    mayConflict: true,
    act: (one, at) => model.postDraft(one, key, when, sent, postKey, at),
    send: through(run, by, {
      rest: { method: 'post', path: `/api/drafts/${draftId}/post`, body },
      trpc: async ({ drafts }) => await drafts.post.mutate({ draftId, ...body }),
      ...(sent === undefined
        ? { tool: when === 'now' ? ['post_now', { draftId }] : ['schedule_draft', { draftId, when: body.when }] }
        : {}),
    }),
  }
}

const changeQueue: Make = (run, which) => {
  const { random } = run
  const artist = run.artists[which]!
  const save: { zone?: string; isPaused?: boolean; rules?: model.Rule[] } = {}
  if (random.oneIn(2)) save.isPaused = artist.queue.isPaused ? random.oneIn(4) : random.oneIn(3)
  if (random.oneIn(4))
    save.zone = random.pick([artist.zone, 'Europe/London', 'Australia/Lord_Howe', 'America/New_York'])
  if (random.oneIn(2) || artist.queue.rules.length === 0) save.rules = randomRules(random, artist)
  const body = {
    ...(save.zone === undefined ? {} : { timeZone: save.zone }),
    ...(save.isPaused === undefined ? {} : { paused: save.isPaused }),
    ...(save.rules
      ? {
          slots: save.rules.map(({ pages, ...rest }) => ({
            ...rest,
            ...(pages ? { pages: pages.map(wirePage) } : {}),
          })),
        }
      : {}),
  }
  return {
    name: `queue ${JSON.stringify(body).slice(0, 160)}`,
    which,
    act: (one, at) => model.saveQueue(one, save, at),
    send: through(run, which, {
      rest: { method: 'put', path: '/api/queue', body },
      trpc: async ({ posts }) => await posts.saveQueue.mutate(body),
    }),
  }
}
export function randomRules(random: Random, artist: Artist): model.Rule[] {
  return Array.from({ length: random.whole(1, 3) }, () => {
    const pages = allPages(artist).filter(() => random.oneIn(2))
    const days = [1, 2, 3, 4, 5, 6, 7].filter(() => random.chance(0.6))
    return {
      days: days.length > 0 ? days : [7],
      time: random.pick(['01:30', '02:30', '02:10', '09:00', '18:45', '23:50']),
      ...(pages.length > 0 && random.oneIn(2) ? { pages } : {}),
    }
  })
}

const changeZone: Make = (run, which) => {
  const zone = run.random.pick(['Europe/London', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe'])
  return {
    name: `zone ${zone}`,
    which,
    act: (one) => {
      one.zone = zone
      return { status: 200 }
    },
    send: through(run, which, {
      trpc: async ({ auth }) => await auth.chooseStudioZone.mutate({ timeZone: zone }),
    }),
  }
}

const disconnect: Make = (run, which) => {
  const artist = run.artists[which]!
  if (artist.accounts.length === 0) return undefined
  const { id, pages } = run.random.pick(artist.accounts)
  const pageId = run.random.oneIn(2) ? run.random.pick(pages) : undefined
  const { client } = run.people[which]!
  return {
    name: `disconnect ${id.slice(-4)} ${pageId ?? ''}`,
    which,
    act: (one) => model.disconnect(one, id, pageId),
    send: async () => {
      const path = `/api/social-accounts/${id}${pageId === undefined ? '' : `/pages/${pageId}`}`
      return { status: (await client.delete(path)).status }
    },
  }
}

/** The subscription ends or returns, as by Stripe's event. */
const changePlan: Make = (run, which) => {
  const { world, people, random, artists } = run
  const isPaying = !artists[which]!.isPaying
  const system = random.pick(world.systems)
  const owner = ownerScope(people[which]!.client.id)
  return {
    name: isPaying ? 'the subscription returns' : 'the subscription ends',
    which,
    act: (one) => model.setPaying(one, isPaying),
    send: async () => {
      await retryOnDeadlock(system.db, async (tx) => {
        const status = isPaying ? 'active' : 'canceled'
        await tx.update(subscriptions).set({ status }).where(eq(subscriptions.userId, owner))
        await system.hooks.run(isPaying ? 'subscriptionResumed' : 'subscriptionStopped', system, tx, { owner })
      })
      return { status: 200 }
    },
  }
}

/** The kinds of operations, the likely ones several times. */
const makes: readonly (readonly [Make, number])[] = [
  [create, 8],
  [edit, 7],
  [cancel, 2],
  [publishNow, 2],
  [retry, 3],
  [duplicate, 1],
  [createDraft, 2],
  [useDraft, 4],
  [changeQueue, 3],
  [changeZone, 0.5],
  [disconnect, 0.4],
  [changePlan, 0.7],
]
const total = makes.reduce((sum, [, weight]) => sum + weight, 0)

export function randomOperation(run: Run, which: number, now: number): Operation {
  const { random, artists } = run
  if (!artists[which]!.isPaying && random.oneIn(3)) return changePlan(run, which, now)!
  let left = random.between(0, total)
  const [make] = makes.find(([, weight]) => (left -= weight) < 0)!
  return make(run, which, now) ?? create(run, which, now)!
}
export const planOperation = (run: Run, which: number, now: number): Operation => changePlan(run, which, now)!
