import type { Platform } from '@flashsheet/contracts/networks'

/** The rules of docs/product (composing, queue, calendar, publishing, rest) once more, without the product's code. */

export const second = 1000
export const minute = 60 * second
export const hour = 60 * minute
export const day = 24 * hour
/** When a target of a paused queue is due. */
export const never = Infinity

export type Page = { account: string; platform: Platform; pageId: string }
/** `waits`: can be changed and deleted. `begun`: a worker has it, or will go on with it. */
export type TargetState = 'waits' | 'begun' | 'posted' | 'failed'
export type Target = Page & {
  key: string
  title: string
  message: string
  state: TargetState
  dueAt: number
  slotAt: number | null
  isHeld: boolean
  /** Waits until its account is reconnected. */
  awaits: boolean
  unclear: boolean
  /** Its page was disconnected since; its texts are deleted once it is final. */
  isDisconnected: boolean
  isStripped: boolean
  /** How often it may have been sent: once, and again for each time that its artist wanted so. */
  sends: number
  /** What was to be sent, and when, each time that a worker began. */
  begun: { message: string; dueAt: number }[]
}
export type Post = {
  key: string
  requestId: string
  request: string
  scheduledAt: number
  createdAt: number
  mediaIds: string[]
  targets: Target[]
  isDeleted: boolean
  /** How often failed targets were opened again. */
  reopened: number
}
export type Words = { page: Page; title: string; message: string }
export type Draft = {
  key: string
  requestId: string
  version: number
  mediaIds: string[]
  words: Words[]
  isDeleted: boolean
}
export type Account = { id: string; platform: Platform; login: string; pages: string[] }
/** `pages`: undefined for all. */
export type Rule = { days: number[]; time: string; pages?: Page[] }
export type Artist = {
  zone: string
  isPaying: boolean
  accounts: Account[]
  queue: { zone: string | null; isPaused: boolean; rules: Rule[] }
  posts: Post[]
  drafts: Draft[]
}
/** `id`: the key of what the answer names. */
export type Answer = { status: number; id?: string }
export type When = number | 'now' | 'next-slot'

const ok = (id?: string): Answer => (id === undefined ? { status: 200 } : { status: 200, id })
const refusal = (status: number): Answer => ({ status })

const samePage = (one: Page, other: Page): boolean => one.account === other.account && one.pageId === other.pageId
export const isConnected = (artist: Artist, page: Page): boolean =>
  artist.accounts.some((one) => one.id === page.account && one.pages.includes(page.pageId))
export const findPost = (artist: Artist, key: string): Post | undefined =>
  artist.posts.find((one) => one.key === key && !one.isDeleted)
const isQueued = (target: Target) =>
  target.state === 'waits' && target.slotAt !== null && (target.dueAt === target.slotAt || target.dueAt === never)
export const statusOf = ({ targets }: Post): 'scheduled' | 'failed' | 'posted' =>
  targets.some(({ state }) => state === 'waits' || state === 'begun')
    ? 'scheduled'
    : targets.some(({ state }) => state === 'failed')
      ? 'failed'
      : 'posted'
export const queueOf = (post: Post): 'placed' | 'paused' | undefined => {
  const queued = post.targets.filter(isQueued)
  if (queued.length === 0) return undefined
  return queued.some(({ dueAt }) => dueAt === never) ? 'paused' : 'placed'
}

const formats = new Map<string, Intl.DateTimeFormat>()
/** The zone's clock, as if it was UTC. */
function wallTime(at: number, zone: string): number {
  const format =
    formats.get(zone) ?? new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone: zone })
  formats.set(zone, format)
  return Date.parse(`${format.format(at).replace(' ', 'T')}Z`)
}
/** A skipped time moves forward by what was skipped; of a repeated one it is the first. */
export function instantOf(wall: number, zone: string): number {
  const [before, after] = [-day, day].map((by) => wall - (wallTime(wall + by, zone) - (wall + by)))
  const found = [before!, after!].filter((at) => wallTime(at, zone) === wall)
  return found.length > 0 ? Math.min(...found) : before!
}

type Slot = { at: number; takes: (page: Page) => boolean }
export function slotsAfter({ queue, zone: own, accounts }: Artist, now: number, days = 60): Slot[] {
  const zone = queue.zone ?? own
  const today = Math.floor(wallTime(now, zone) / day) * day
  const slots: Slot[] = []
  const isOn = (page: Page) => accounts.some((one) => one.id === page.account && one.pages.includes(page.pageId))
  const rules = queue.rules.filter(({ pages }) => pages?.some(isOn) ?? true)
  for (let wall = today - day; wall <= today + days * day; wall += day) {
    const weekday = new Date(wall).getUTCDay() || 7
    for (const { days: on, time, pages } of rules) {
      const at = instantOf(Date.parse(`${new Date(wall).toISOString().slice(0, 10)}T${time}Z`), zone)
      if (on.includes(weekday) && at > now)
        slots.push({ at, takes: (page) => pages?.some((one) => samePage(one, page)) ?? true })
    }
  }
  return [...new Set(slots.map(({ at }) => at))]
    .toSorted((a, b) => a - b)
    .map((at) => ({ at, takes: (page) => slots.some((one) => one.at === at && one.takes(page)) }))
}
export const isFree = ({ posts }: Artist, page: Page, at: number): boolean =>
  !posts.some(
    (post) =>
      !post.isDeleted && post.targets.some((one) => one.slotAt === at && one.state === 'waits' && samePage(one, page)),
  )
function firstFree(artist: Artist, pages: readonly Page[], now: number): number | undefined {
  return slotsAfter(artist, now).find(({ at, takes }) => pages.every((page) => takes(page) && isFree(artist, page, at)))
    ?.at
}

export type Creation = {
  key: string
  requestId: string
  /** What distinguishes two requests with one id. */
  request: string
  when: When
  mediaIds: string[]
  words: Words[]
}
export function create(
  artist: Artist,
  { key, requestId, request, when, mediaIds, words }: Creation,
  now: number,
): Answer {
  if (!artist.isPaying) return refusal(403)
  if (words.length === 0) return refusal(400)
  const earlier = artist.posts.find((one) => one.requestId === requestId)
  // What was created once is never created again, also if it was deleted since.
  if (earlier) return earlier.request === request && !earlier.isDeleted ? ok(earlier.key) : refusal(409)
  if (typeof when === 'number' && when < now - minute) return refusal(400)
  if (mediaIds.length === 0 || words.length === 0) return refusal(400)
  if (!words.every(({ page }) => isConnected(artist, page))) return refusal(400)
  const pages = words.map(({ page }) => page)
  const slotAt = when === 'next-slot' ? firstFree(artist, pages, now) : null
  if (slotAt === undefined) return refusal(409)
  const scheduledAt = slotAt ?? (typeof when === 'number' ? Math.max(when, now) : now)
  const target = ({ page, title, message }: Words, n: number): Target => ({
    ...page,
    key: `${key} ${n}`,
    title,
    message,
    state: 'waits',
    dueAt: slotAt !== null && artist.queue.isPaused ? never : scheduledAt,
    slotAt,
    isHeld: false,
    awaits: false,
    unclear: false,
    isDisconnected: false,
    isStripped: false,
    sends: 1,
    begun: [],
  })
  artist.posts.push({
    key,
    requestId,
    request,
    scheduledAt,
    createdAt: now,
    mediaIds,
    targets: words.map(target),
    isDeleted: false,
    reopened: 0,
  })
  return ok(key)
}

export type Change = {
  at?: number
  leavesQueue?: boolean
  words?: { key: string; title?: string; message?: string }[]
}
export function update(artist: Artist, key: string, change: Change, now: number): Answer {
  if (!artist.isPaying) return refusal(403)
  const post = findPost(artist, key)
  if (!post) return refusal(404)
  if (!post.targets.every(({ state }) => state === 'waits')) return refusal(409)
  if (change.words?.some(({ key: which }) => !post.targets.some((one) => one.key === which))) return refusal(400)
  const queued = post.targets.some(isQueued)
  const leaves = queued && change.leavesQueue === true
  const isSame = queued && !leaves && change.at === post.scheduledAt
  const at = isSame ? undefined : (change.at ?? (leaves ? post.scheduledAt : undefined))
  if (at !== undefined && at < now - minute) return refusal(400)
  for (const { key: which, ...words } of change.words ?? [])
    Object.assign(post.targets.find((one) => one.key === which) ?? {}, words)
  if (at !== undefined) moveTo(post, post.targets, Math.max(at, now))
  return ok(key)
}
function moveTo(post: Post, targets: readonly Target[], at: number): void {
  post.scheduledAt = at
  for (const target of post.targets) target.slotAt = null
  for (const target of targets) Object.assign(target, { dueAt: at, awaits: false })
}

/** `isAny`: also what is final, as the screens do. */
export function remove(artist: Artist, key: string, isAny: boolean): Answer {
  if (!artist.isPaying) return refusal(403)
  const post = findPost(artist, key)
  if (!post) return refusal(404)
  if (!post.targets.every(({ state }) => state === 'waits' || (isAny && state !== 'begun'))) return refusal(409)
  post.isDeleted = true
  return ok()
}

export function publishNow(artist: Artist, key: string, now: number): Answer {
  if (!artist.isPaying) return refusal(403)
  const post = findPost(artist, key)
  if (!post) return refusal(404)
  const waiting = post.targets.filter(({ state }) => state === 'waits')
  if (waiting.length === 0) return refusal(409)
  moveTo(post, waiting, now)
  return ok(key)
}

/** `again`: the artist says that an unclear target is not there. */
export function retry(artist: Artist, key: string, which: string | undefined, again: boolean, now: number): Answer {
  if (!artist.isPaying) return refusal(403)
  const post = findPost(artist, key)
  if (!post || (which !== undefined && !post.targets.some((one) => one.key === which))) return refusal(404)
  const failed = post.targets.filter((one) => one.state === 'failed' && (which ?? one.key) === one.key)
  if (failed.length === 0 || !failed.every((one) => isConnected(artist, one) && !one.isStripped)) return refusal(409)
  if (!post.targets.some(({ state }) => state === 'waits' || state === 'begun')) post.scheduledAt = now
  for (const target of failed) {
    const isLookup = target.unclear && !again
    if (target.unclear && again) target.sends += 1
    Object.assign(target, { state: isLookup ? 'begun' : 'waits', dueAt: now, slotAt: null, unclear: false })
  }
  post.reopened += 1
  return ok(key)
}

/** Targets that have not begun are deleted, and posts that have no other. */
export function disconnect(artist: Artist, account: string, pageId: string | undefined): Answer {
  if (!artist.isPaying) return refusal(403)
  const found = artist.accounts.find((one) => one.id === account)
  if (!found || (pageId !== undefined && !found.pages.includes(pageId))) return refusal(404)
  found.pages = pageId === undefined ? [] : found.pages.filter((one) => one !== pageId)
  if (found.pages.length === 0) artist.accounts = artist.accounts.filter((one) => one !== found)
  for (const post of artist.posts.filter((one) => !one.isDeleted)) {
    const isDisconnected = (one: Target) => one.account === account && (pageId ?? one.pageId) === one.pageId
    const left = post.targets.filter((one) => one.state !== 'waits' || !isDisconnected(one))
    for (const target of left.filter(isDisconnected)) target.isDisconnected = true
    if (left.length === 0) post.isDeleted = true
    else post.targets = left
  }
  return ok()
}

export function setPaying(artist: Artist, isPaying: boolean): Answer {
  artist.isPaying = isPaying
  for (const target of artist.posts.flatMap(({ targets }) => targets))
    if (target.state === 'waits') target.isHeld = !isPaying
  return ok()
}

export function saveQueue(
  artist: Artist,
  save: { zone?: string; isPaused?: boolean; rules?: Rule[] },
  now: number,
): Answer {
  if (!artist.isPaying) return refusal(403)
  if (save.rules?.some(({ pages }) => pages?.some((page) => !isConnected(artist, page)))) return refusal(400)
  const { queue } = artist
  const before = structuredClone({ ...queue, posts: artist.posts })
  if (save.zone !== undefined) queue.zone = save.zone === artist.zone ? null : save.zone
  if (save.rules) queue.rules = save.rules
  const isPaused = save.isPaused ?? queue.isPaused
  const queued = artist.posts
    .filter((one) => !one.isDeleted && one.targets.some(isQueued))
    .toSorted((a, b) => a.scheduledAt - b.scheduledAt)
  if (isPaused && !queue.isPaused)
    for (const target of queued.flatMap(({ targets }) => targets).filter(isQueued))
      if (target.slotAt! > now) target.dueAt = never
  if (!isPaused && queue.isPaused)
    for (const post of queued) {
      const paused = post.targets.filter((one) => isQueued(one) && one.dueAt === never)
      if (paused.length === 0) continue
      const { slotAt } = paused[0]!
      const at = slotAt! > now ? slotAt! : firstFree(artist, paused, now)
      if (at === undefined) {
        artist.posts = before.posts
        Object.assign(queue, { zone: before.zone, rules: before.rules, isPaused: before.isPaused })
        return refusal(409)
      }
      post.scheduledAt = at
      for (const target of paused) Object.assign(target, { dueAt: at, slotAt: at })
    }
  queue.isPaused = isPaused
  return ok()
}

export const findDraft = (artist: Artist, key: string): Draft | undefined =>
  artist.drafts.find((one) => one.key === key && !one.isDeleted)

export function createDraft(artist: Artist, draft: Pick<Draft, 'key' | 'requestId' | 'mediaIds' | 'words'>): Answer {
  if (!artist.isPaying) return refusal(403)
  const earlier = artist.drafts.find((one) => one.requestId === draft.requestId)
  if (earlier) return earlier.isDeleted ? refusal(409) : ok(earlier.key)
  if (!draft.words.every(({ page }) => isConnected(artist, page))) return refusal(400)
  artist.drafts.push({ ...draft, version: 1, isDeleted: false })
  return ok(draft.key)
}
export function changeDraft(artist: Artist, key: string, version: number, words: Words[]): Answer {
  if (!artist.isPaying) return refusal(403)
  const draft = findDraft(artist, key)
  if (!words.every(({ page }) => isConnected(artist, page))) return refusal(400)
  if (!draft) return refusal(404)
  if (draft.version !== version) return refusal(409)
  Object.assign(draft, { version: version + 1, words })
  return ok(key)
}
export function removeDraft(artist: Artist, key: string): Answer {
  if (!artist.isPaying) return refusal(403)
  const draft = findDraft(artist, key)
  if (!draft) return refusal(404)
  draft.isDeleted = true
  return ok()
}
/** `version`: the one that was read, if the caller sends it. */
export function postDraft(
  artist: Artist,
  key: string,
  when: When,
  version: number | undefined,
  postKey: string,
  now: number,
): Answer {
  if (!artist.isPaying) return refusal(403)
  const requestId = `draft:${key}`
  const request = String(when)
  const earlier = artist.posts.find((one) => one.requestId === requestId && !one.isDeleted)
  if (earlier) return earlier.request === request ? ok(earlier.key) : refusal(409)
  const draft = findDraft(artist, key)
  if (!draft) return refusal(404)
  if (version !== undefined && version !== draft.version) return refusal(409)
  const answer = create(
    artist,
    { key: postKey, requestId, request, when, mediaIds: draft.mediaIds, words: draft.words },
    now,
  )
  if (answer.status === 200) draft.isDeleted = true
  return answer
}

/** A worker takes a due target, and sends it as it is now. */
export function begin(target: Target): void {
  target.state = 'begun'
  target.awaits = false
  target.begun.push({ message: target.message, dueAt: target.dueAt })
}
