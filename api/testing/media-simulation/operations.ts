import { posts, postTargets } from '@flashsheet/db/schema/posts'
import { eq } from 'drizzle-orm'
import { variantsOf } from '../posting.ts'
import { deleted, hour, neededBy, unusedDays, type Upload } from './model.ts'
import {
  ask,
  cancelUpload,
  createUpload,
  fetchFromUrl,
  json,
  liveItems,
  type Operation,
  outcome,
  pickSome,
  readFetch,
  sendForm,
  sendPiece,
  sendPoster,
  visitorOf,
} from './uploads.ts'
import { nowOf, type Owner, posterBytes, runJob, runScheduled, waitingJobs, type World } from './world.ts'

function deleteMedia(world: World, owner: Owner): Operation | undefined {
  const needed = liveItems(owner).filter((one) => neededBy(owner.library).has(one.id))
  const items = pickSome(world, needed.length > 0 && world.random.oneIn(3) ? needed : liveItems(owner), 3)
  if (items.length === 0) return undefined
  const ids = items.map((one) => one.id)
  return {
    name: `delete ${items.map((one) => one.file.name).join()}`,
    allowed: ids.some((id) => neededBy(owner.library).has(id))
      ? [409]
      : [200, ...(neededBy(owner.library, 'maybe').size > 0 ? [409] : [])],
    also: [200, 404, 409],
    send: async () => {
      const answer = await ask(world, visitorOf(world, owner), '/api/media', json('DELETE', { ids }))
      deleted(owner.library, ids, outcome(answer.status))
      return answer
    },
  }
}

function changeGallery(world: World, owner: Owner): Operation | undefined {
  const items = pickSome(world, liveItems(owner), 3)
  if (items.length === 0) return undefined
  const { gallery } = owner.library
  const [first] = items
  const isRemoval = world.random.oneIn(2) && gallery.has(first!.id)
  return {
    name: `${isRemoval ? 'hide' : 'show'} ${items.map((one) => one.file.name).join()}`,
    allowed: [200],
    also: [404],
    send: async () => {
      const visitor = visitorOf(world, owner)
      const answer = isRemoval
        ? await ask(world, visitor, `/api/websitebuilder/gallery/${first!.id}`, { method: 'DELETE' })
        : await ask(world, visitor, '/api/websitebuilder/gallery', json('POST', { ids: items.map((one) => one.id) }))
      const isDone = outcome(answer.status)
      for (const { id } of isDone === false ? [] : isRemoval ? [first!] : items) {
        gallery.set(id, isDone && !world.touched.has(id) ? (isRemoval ? 'gone' : 'here') : 'maybe')
        world.touched.add(id)
      }
      return answer
    },
  }
}

function publishSite(world: World, owner: Owner): Operation {
  const { library } = owner
  const isPublished = !world.random.oneIn(3)
  const image = world.random.pick(library.siteImages.length > 0 ? library.siteImages : [undefined])
  const images = {
    logoImage: image ? { url: image.url, fileName: 'logo.jpg', size: 1, uploadedAt: '' } : null,
    backgroundImage: null,
    profileImage: null,
  }
  return {
    name: `save the site, ${isPublished ? 'published' : 'hidden'}`,
    allowed: image && nowOf(world) - image.sentAt > unusedDays * 24 * hour ? [200, 400] : [200],
    send: async () => {
      const body = { published: isPublished, ...(image ? { images } : {}) }
      const answer = await ask(world, visitorOf(world, owner), '/api/websitebuilder', json('POST', body))
      return answer
    },
  }
}

function sendSiteImage(world: World, owner: Owner): Operation {
  return {
    name: 'a picture for the site',
    allowed: [200],
    send: async () => {
      const form = new FormData()
      form.append('file', new Blob([Uint8Array.from(await posterBytes(world))], { type: 'image/jpeg' }), 'logo.jpg')
      const answer = await ask(world, visitorOf(world, owner), '/api/websitebuilder/image', {
        method: 'POST',
        body: form,
      })
      if (answer.status === 200)
        owner.library.siteImages.push({ url: (answer.body as { url: string }).url, sentAt: nowOf(world) })
      return answer
    },
  }
}

function planPost(world: World, owner: Owner): Operation | undefined {
  const { library } = owner
  const open = library.posts.filter((one) => one.state === 'scheduled')
  const items = pickSome(
    world,
    liveItems(owner).filter((one) => one.file.type === 'image/jpeg'),
  )
  const kind = world.random.pick(
    open.length > 0 ? (['plan', 'plan', 'plan', 'cancel', 'posted'] as const) : (['plan'] as const),
  )
  if (kind === 'posted') {
    const [post] = open
    return {
      name: 'a post is published',
      allowed: [200],
      send: async () => {
        const { db } = world.app.client
        await db
          .update(postTargets)
          .set({ phase: 'posted', postedAt: world.app.clock.now(), remoteId: post!.id })
          .where(eq(postTargets.postId, post!.id))
        await db.update(posts).set({ status: 'posted' }).where(eq(posts.id, post!.id))
        if (post!.state === 'scheduled') post!.state = 'posted'
        return { status: 200 }
      },
    }
  }
  if (kind === 'cancel') {
    const post = world.random.pick(open)
    return {
      name: 'delete a scheduled post',
      allowed: [200],
      also: [404, 409],
      send: async () => {
        const answer = await ask(world, visitorOf(world, owner), `/api/posts/${post.id}`, { method: 'DELETE' })
        const isDone = outcome(answer.status)
        if (isDone !== false) post.state = isDone ? 'gone' : 'maybe'
        return answer
      },
    }
  }
  if (items.length === 0) return undefined
  const mediaIds = items.map((one) => one.id)
  const asDraft = world.random.oneIn(3)
  const body = {
    mediaIds,
    variants: variantsOf(owner.account),
    requestId: `post ${(world.count += 1)}`,
    ...(asDraft ? {} : { scheduledAt: new Date(nowOf(world) + 300 * 86_400_000).toISOString() }),
  }
  return {
    name: `${asDraft ? 'draft' : 'schedule'} ${items.map((one) => one.file.name).join()}`,
    allowed: [201],
    also: [400, 404, 409],
    send: async () => {
      const answer = await ask(
        world,
        visitorOf(world, owner),
        asDraft ? '/api/drafts' : '/api/posts/schedule',
        json('POST', body),
      )
      if (answer.status === 201) {
        const id = (answer.body as { _id: string })._id
        // A repeated request is answered with the same one.
        if ([...library.drafts, ...library.posts].some((one) => one.id === id)) return answer
        if (asDraft) library.drafts.push({ id, mediaIds, state: 'here' })
        else library.posts.push({ id, mediaIds, state: 'scheduled' })
      } else if (outcome(answer.status) === undefined && !asDraft)
        library.posts.push({ id: '', mediaIds, state: 'maybe' })
      return answer
    },
  }
}

/** The artist looks at what would be sent to a network; anyone with such an address may read it for a day. */
function previewForNetwork(world: World, owner: Owner): Operation | undefined {
  const [item] = pickSome(world, liveItems(owner))
  if (!item) return undefined
  const input = encodeURIComponent(
    JSON.stringify({ mediaIds: [item.id], platform: world.random.pick(['instagram', 'facebook', 'linkedin']) }),
  )
  return {
    name: `preview ${item.file.name}`,
    allowed: [200],
    also: [404],
    send: async () => {
      const answer = await ask(world, visitorOf(world, owner), `/trpc/media.forNetwork?input=${input}`)
      const { media = [] } =
        (answer.body as { result?: { data: { media: { url: string }[] } } } | undefined)?.result?.data ?? {}
      for (const { url } of media) owner.library.addresses.push({ path: url, of: item.id })
      return answer
    },
  }
}

/** Some of the jobs, some of them at once. */
function workJobs(world: World): Operation {
  return {
    name: 'jobs',
    allowed: [200],
    send: async () => {
      const jobs = (await waitingJobs(world)).filter(() => world.random.chance(0.7))
      while (jobs.length > 0)
        await Promise.all(jobs.splice(0, world.random.whole(1, 3)).map(async (job) => await runJob(world, job)))
      return { status: 200 }
    },
  }
}

function sweep(world: World): Operation {
  return {
    name: 'sweep',
    allowed: [200],
    send: async () => {
      await Promise.all(
        world.random.oneIn(3)
          ? [runScheduled(world, 'media.sweep-uploads'), runScheduled(world, 'media.sweep-uploads')]
          : [runScheduled(world, 'media.sweep-uploads')],
      )
      return { status: 200 }
    },
  }
}

/** Staff delete an account, without a period of grace. */
function deleteAccount(world: World, owner: Owner): Operation {
  return {
    name: 'delete the account',
    allowed: [200],
    also: [404],
    send: async () => {
      const admin = world.random.pick(world.processes).visitor(world.admin)
      const answer = await ask(world, admin, `/api/admin/users/${owner.artist.id}`, { method: 'DELETE' })
      if (outcome(answer.status) !== false) owner.isClosing = true
      return answer
    },
  }
}

export function randomOperation(world: World): Operation {
  const { random } = world
  const owner = random.pick(world.owners)
  const open = owner.library.uploads.filter((one) => one.state === 'open')
  const upload = random.oneIn(8) ? owner.library.uploads.at(-1) : random.pick(open.length > 0 ? open : [undefined])
  const kind = random.pick([...usual, ...(open.length > 0 ? ofUploads : [])])
  const operation = operationOf(world, owner, kind, upload) ?? createUpload(world, owner)
  return { ...operation, name: `${world.owners.indexOf(owner)}: ${operation.name}` }
}

const usual = [
  'create',
  'create',
  'form',
  'form',
  'fetch',
  'readFetch',
  'delete',
  'delete',
  'gallery',
  'gallery',
  'site',
  'image',
  'post',
  'post',
  'post',
  'delete',
  'preview',
  'jobs',
  'jobs',
  'sweep',
  'close',
] as const
const ofUploads = ['piece', 'piece', 'piece', 'piece', 'piece', 'piece', 'cancel', 'poster'] as const

function operationOf(
  world: World,
  owner: Owner,
  kind: (typeof usual)[number] | (typeof ofUploads)[number],
  upload: Upload | undefined,
): Operation | undefined {
  switch (kind) {
    case 'create':
      return createUpload(world, owner)
    case 'piece':
      return upload && sendPiece(world, owner, upload)
    case 'cancel':
      return upload && world.random.oneIn(2) ? cancelUpload(world, owner, upload) : undefined
    case 'poster':
      return upload && sendPoster(world, owner, upload)
    case 'form':
      return sendForm(world, owner)
    case 'fetch':
      return fetchFromUrl(world, owner)
    case 'readFetch':
      return readFetch(world, owner)
    case 'delete':
      return deleteMedia(world, owner)
    case 'gallery':
      return changeGallery(world, owner)
    case 'site':
      return publishSite(world, owner)
    case 'image':
      return sendSiteImage(world, owner)
    case 'post':
      return planPost(world, owner)
    case 'preview':
      return previewForNetwork(world, owner)
    case 'jobs':
      return workJobs(world)
    case 'sweep':
      return sweep(world)
    case 'close':
      return world.random.oneIn(4) ? deleteAccount(world, owner) : undefined
  }
}
