import type { MediaItem } from '@flashsheet/contracts/media/schema'
import type { Visitor } from '../actors.ts'
import { headUpload, isExpired } from './uploads.ts'
import { hour, neededBy, shaOf, unusedDays } from './model.ts'
import { nowOf, type Owner, type World } from './world.ts'

const healthy = (world: World, owner: Owner): Visitor => world.random.pick(world.processes).visitor(owner.artist)

/** The files of an item, as its artist gets them, are complete. */
async function checkFiles(world: World, owner: Owner, item: MediaItem): Promise<void> {
  const { check } = world
  const visitor = healthy(world, owner)
  const { file } = owner.library.items.get(item._id)!
  const original = await visitor.fetch(`/files/media/${item._id}/original`)
  check(original.status === 200, `the original of ${file.name} is ${original.status}`)
  check(shaOf(await original.bytes()) === file.sha, `the original of ${file.name} has other bytes`)
  for (const address of [item.url, item.thumbnailUrl]) {
    const answer = await visitor.fetch(address)
    await answer.bytes()
    check(answer.status === 200, `${address} of ${file.name} is ${answer.status}`)
  }
}

/** Compares what an artist reads with the model, in which then nothing is unknown any more. */
export async function checkOwner(world: World, owner: Owner): Promise<void> {
  const { check, random } = world
  const { library } = owner
  const visitor = healthy(world, owner)
  const list = (await visitor.get<MediaItem[]>('/api/media')).body
  const ids = new Set(list.map((one) => one._id))
  for (const item of list) {
    const attempt = library.attempts.get(item.fileName)
    check(attempt !== undefined, `${item.fileName} was never sent`)
    check(item.size === attempt!.file.bytes.length, `${item.fileName} has ${item.size} bytes`)
    attempt!.items.add(item._id)
    // A sweep, or a request without an answer, has finished its upload, which has the same id.
    const upload = library.uploads.find((one) => one.path.endsWith(item._id))
    if (upload?.state === 'open') Object.assign(upload, { state: 'finished', mediaId: item._id })
    if (!library.items.has(item._id))
      library.items.set(item._id, { id: item._id, file: attempt!.file, existence: 'here' })
  }
  for (const { file, mostItems, items } of library.attempts.values())
    check(items.size <= mostItems, `${file.name} became ${items.size} items`, mostItems)
  for (const names of library.forms) {
    const counts = new Set(names.map((name) => library.attempts.get(name)!.items.size))
    check(counts.size === 1, `a form was stored in part: ${names.join()}`)
  }
  for (const item of library.items.values()) {
    if (item.existence === 'maybe') item.existence = ids.has(item.id) ? 'here' : 'gone'
    check(
      ids.has(item.id) === (item.existence === 'here'),
      `${item.file.name} is ${item.existence}, but not in the library`,
    )
  }
  await checkUses(world, owner, ids)
  if (list.length > 0) await checkFiles(world, owner, random.pick(list))
  const upload =
    library.uploads.findLast((one) => one.state === 'maybe') ??
    random.pick(library.uploads.length > 0 ? library.uploads : [undefined])
  if (upload) await checkUpload(world, owner, upload)
  const [stranger] = world.owners.filter((one) => one !== owner && !one.isClosing)
  if (stranger) await checkForeign(world, owner, stranger)
}

async function checkUpload(world: World, owner: Owner, upload: Owner['library']['uploads'][number]): Promise<void> {
  const { check } = world
  const { status } = await headUpload(world, owner, upload, true)
  const { file, state, createdAt } = upload
  if (state === 'maybe') upload.state = status === 404 ? 'gone' : 'open'
  if (state === 'finished') {
    const isHere = owner.library.items.get(upload.mediaId!)?.existence === 'here'
    const isRecent = nowOf(world) - createdAt < 7 * 24 * hour
    check(status === (isHere ? 200 : 404) || !isRecent, `the finished upload ${file.name} is ${status}`)
  }
  if (state === 'gone') check([404, 400].includes(status), `the former upload ${file.name} is ${status}`)
  if (state !== 'open') return
  if (status === 404 && isExpired(world, upload)) upload.state = 'gone'
  else check([200, 400].includes(status), `the upload ${file.name} is ${status}`)
}

/** Posts, drafts and the gallery. */
async function checkUses(world: World, owner: Owner, ids: ReadonlySet<string>): Promise<void> {
  const { check } = world
  const { library } = owner
  const visitor = healthy(world, owner)
  type Using = { _id: string; mediaIds: string[]; status: string }
  const posts = (await visitor.get<Using[]>('/api/posts')).body
  for (const post of library.posts) {
    const shown = posts.find((one) => one._id === post.id)
    if (post.state === 'maybe') post.state = shown ? 'scheduled' : 'gone'
    check((shown !== undefined) === (post.state !== 'gone'), `a post is ${post.state}`, post.id)
  }
  for (const { _id, mediaIds, status } of posts)
    if (!library.posts.some((one) => one.id === _id))
      library.posts.push({ id: _id, mediaIds, state: status === 'scheduled' ? 'scheduled' : 'posted' })
  for (const id of neededBy(library))
    check(ids.has(id), 'a scheduled post lost a file', library.items.get(id)?.file.name)
  const drafts = (await visitor.get<Using[]>('/api/drafts')).body
  for (const draft of library.drafts) {
    const shown = drafts.find((one) => one._id === draft.id)
    const expected = draft.mediaIds.filter((id) => ids.has(id))
    check(shown?.mediaIds.join() === expected.join(), 'a draft has other media', shown?.mediaIds, expected)
  }
  type Shown = { gallery: string[]; images: { logoImage: { url: string } | null } }
  const { gallery, images } = (await visitor.get<Shown>('/api/websitebuilder')).body
  for (const image of library.siteImages) {
    const isUsed = image.url === images.logoImage?.url
    const { status } = await visitor.fetch(image.url)
    check(
      status === 200 || (!isUsed && nowOf(world) - image.sentAt > unusedDays * 24 * hour),
      `a picture of the site is ${status}`,
    )
  }
  for (const [id, existence] of library.gallery) {
    const isShown = gallery.includes(id)
    if (existence === 'maybe') library.gallery.set(id, isShown ? 'here' : 'gone')
    else
      check(
        isShown === (existence === 'here' && ids.has(id)),
        `the gallery shows ${isShown}, should be ${existence}`,
        library.items.get(id)?.file.name,
      )
  }
  for (const id of gallery) if (!library.gallery.has(id)) library.gallery.set(id, 'here')
  await rememberAddresses(world, owner)
}

/** The addresses under which strangers get pictures. */
async function rememberAddresses(world: World, owner: Owner): Promise<void> {
  const { app, check, processes } = world
  const { addresses } = owner.library
  const rows = (await app.client
    .sql`select token, media_id as "mediaId", forms from gallery_items where user_id = ${owner.artist.id}`) as unknown as {
    token: string
    mediaId: string
    forms: { sizes: { width: number }[] } | null
  }[]
  for (const { token, mediaId, forms } of rows) {
    const [size] = forms?.sizes ?? []
    const path = `/files/gallery/${token}/${size?.width}.webp`
    if (size && !addresses.some((one) => one.path === path)) addresses.push({ path, of: mediaId, token })
  }
  for (const address of addresses) {
    if (address.token === undefined || rows.some((row) => row.token === address.token)) continue
    const { status } = await processes[0]!.visitor().fetch(address.path)
    check(status === 404, 'a picture removed from the gallery is still served')
  }
}

/** Another artist gets nothing. */
async function checkForeign(world: World, owner: Owner, stranger: Owner): Promise<void> {
  const { check, random } = world
  const visitor = healthy(world, stranger)
  const item = [...owner.library.items.values()].findLast((one) => one.existence === 'here')
  const upload = owner.library.uploads.at(-1)
  const statuses: number[] = []
  if (item && random.oneIn(2))
    statuses.push(
      (await visitor.fetch(`/files/media/${item.id}/original`)).status,
      (await visitor.fetch(`/files/media/${item.id}/thumbnail`)).status,
      (await visitor.delete('/api/media', { ids: [item.id] })).status,
      (await visitor.post('/api/websitebuilder/gallery', { ids: [item.id] })).status,
    )
  const tus = { 'tus-resumable': '1.0.0' }
  const piece = {
    ...tus,
    'upload-offset': String(upload?.acknowledged),
    'content-type': 'application/offset+octet-stream',
  }
  if (upload && random.oneIn(2))
    statuses.push(
      (await visitor.fetch(upload.path, { method: 'HEAD', headers: tus })).status,
      (await visitor.fetch(upload.path, { method: 'DELETE', headers: tus })).status,
      (await visitor.fetch(upload.path, { method: 'PATCH', headers: piece, body: 'x' })).status,
    )
  check(
    statuses.every((one) => one === 404),
    'another artist was answered',
    statuses,
  )
}

/** Staff repeat the deletion of an account, which may not have been answered. */
export async function deleteAgain({ random, processes, admin, check }: World, { artist }: Owner): Promise<void> {
  const { status } = await random.pick(processes).visitor(admin).delete(`/api/admin/users/${artist.id}`)
  check(status === 200 || status === 404, `a repeated deletion of an account was answered ${status}`)
}

/** Nobody gets anything of a deleted account. */
export async function checkClosed(world: World, closed: readonly Owner[]): Promise<void> {
  for (const { artist } of closed) {
    const visitor = world.processes[0]!.visitor(artist)
    const { status } = await visitor.get('/api/media')
    world.check(status === 401 || status === 403, `a deleted account was answered ${status}`)
  }
}

/** When everything is at rest, the storage has exactly the files that rows name. */
export async function checkAtRest(world: World, closed: readonly Owner[]): Promise<void> {
  const { app, check, processes, bucket } = world
  const { sql } = app.client
  for (const owner of world.owners) {
    await checkOwner(world, owner)
    for (const item of (await healthy(world, owner).get<MediaItem[]>('/api/media')).body)
      await checkFiles(world, owner, item)
    for (const upload of owner.library.uploads)
      if (upload.state === 'open' && upload.acknowledged === upload.file.bytes.length && upload.file.isValid)
        check(false, 'a complete upload was lost', upload.file.name)
    for (const { path, of } of owner.library.addresses)
      if (owner.library.items.get(of)?.existence === 'gone') {
        const { status } = await processes[0]!.visitor().fetch(path)
        check(status === 404, `a picture that was deleted is ${status}`, path)
      }
  }
  for (const owner of closed) {
    const rows = await sql`select 1 from users where id = ${owner.artist.id}`
    check(rows.length === 0, 'a deleted account is still there')
    for (const { path } of owner.library.addresses) {
      const { status } = await processes[0]!.visitor().fetch(path)
      check(status === 404, `a picture of a deleted account is ${status}`, path)
    }
  }
  const left = {
    uploads: await sql`select id, source, refusal from uploads where finished_at is null`,
    fetches: await sql`select id from media_fetches where state = 'fetching'`,
    leases: await sql`select key from leases`,
    orphans: await sql`select key from unnamed_files`,
  }
  for (const [what, rows] of Object.entries(left)) check(rows.length === 0, `${what} are left`, rows)
  const { needed, allowed } = await namedFiles(world)
  const stored = await storedFiles(world)
  const missing = [...needed].filter((key) => !stored.has(key))
  const extra = [...stored].filter((key) => !needed.has(key) && !allowed.some((folder) => key.startsWith(folder)))
  check(missing.length === 0, 'files are missing', missing)
  check(extra.length === 0, 'files are left', extra)
  const parts = bucket?.unfinished() ?? 0
  check(parts === 0 || world.mayLeaveParts, `${parts} multipart uploads are left`)
}

/** Once all jobs have run, nothing is left of a deleted picture but what posts show, without the nightly sweeps. */
export async function checkDeletions(world: World): Promise<void> {
  const stored = await storedFiles(world)
  for (const { library } of world.owners)
    for (const { id, file, existence } of library.items.values())
      world.check(existence !== 'gone' || !stored.has(`media/${id}/original`), `the original of ${file.name} is left`)
}

async function storedFiles({ processes }: World): Promise<Set<string>> {
  const { storage } = processes[0]!.system.gateways
  const keys: string[] = []
  for (let after: string | undefined; ;) {
    const { files, next } = await storage.page(after, 500)
    keys.push(...files.map((one) => one.key))
    if (next === undefined) break
    after = next
  }
  return new Set(keys.filter((key) => !key.startsWith('publish-progress/')))
}

/**
 * The files that rows name, and folders of others: of renditions that are made when they are needed, and of pictures for
 * the site whose process died before it had stored all, which are deleted after a week.
 */
async function namedFiles({ app: { client } }: World) {
  const rows = (await client.sql`
    select original_key as key from media_items union select display_key from media_items where display_key is not null
    union select thumbnail_key from media_items union select thumbnail_key from post_media
    union select 'media/' || media_id || '/gallery/' || g.id || '/' || (s->>'width') || e
      from gallery_items g, jsonb_array_elements(g.forms->'sizes') s, (values ('.webp'), ('.jpg')) as t (e)
    union select 'media/' || media_id || '/gallery/' || id || '/film.mp4' from gallery_items where forms->>'film' = 'true'
    union select 'site-images/' || i.id || '/' || (s->>'width') || e
      from site_images i, jsonb_array_elements(i.sizes) s, (values ('.webp'), ('.jpg')) as t (e)
    union select 'page-pictures/' || id || '/' || picture_file from social_pages where picture_file is not null`) as unknown as {
    key: string
  }[]
  const allowed = (await client.sql`
    select 'media/' || id || '/renditions/' as folder from media_items
    union all select 'site-images/' || id || '/' from site_images where sizes = '[]'`) as unknown as {
    folder: string
  }[]
  return { needed: new Set(rows.map((one) => one.key)), allowed: allowed.map((one) => one.folder) }
}
