import { createHash, randomUUID } from 'node:crypto'
import { apiOf, callWithRetries, isUnanswered } from './api-call.ts'
import {
  deleteUnansweredPost,
  saveUnansweredPost,
  saveUpload,
  readUnansweredPost,
  type Login,
  type UnansweredPost,
} from './config-file.ts'
import type { Target } from './pick-pages.ts'
import { CommandFailed, stopped, type Terminal } from './terminal.ts'
import { localFile, resumable, uploadFile, type LocalFile } from './upload-file.ts'

/** `scheduledAt`: `now`, `next-slot` or an instant. */
type NewPost = {
  files: readonly string[]
  pages: readonly Target[]
  title: string
  caption: string
  scheduledAt: string
}

/**
 * Uploads the files and creates the post. If no answer arrives, its request id stays stored, so that a repeated command
 * creates no second post. After a refusal the command can be repeated without another upload. Throws CommandFailed.
 */
export async function sendPost(terminal: Terminal, login: Login, post: NewPost) {
  const { folder } = terminal
  const files = await Promise.all(post.files.map(async (file) => await localFile(login, file)))
  const uploadKeys = files.map((file) => file.key)
  const key = createHash('sha256')
    .update(JSON.stringify([login, uploadKeys, post.pages, post.title, post.caption, post.scheduledAt]))
    .digest('hex')
  const deleteUploads = async () => {
    for (const uploadKey of uploadKeys) await saveUpload(folder, uploadKey, undefined)
  }

  const sent = (await readUnansweredPost(folder, key)) ?? (await newRequest(terminal, login, files))
  // Stored before the request is sent, so that a killed command can be repeated.
  await saveUnansweredPost(folder, key, sent)
  try {
    const created = await createPost(terminal, login, post, sent)
    await deleteUploads()
    // Last, so that a repeat after a kill before this line finds the post instead of creating another.
    await deleteUnansweredPost(folder, key)
    return created
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error
    const code = error.details?.code ?? ''
    // After Ctrl-C the outcome is unknown too.
    if (isUnanswered(error) || code === 'stopped') throw withAdvice(error)
    // The server refused the post itself, and thus has none with its request id. Any other refusal, such as too many calls,
    // does not say whether an earlier, unanswered call created the post.
    if (['invalid', 'notFound', 'conflict'].includes(code)) await deleteUnansweredPost(folder, key)
    throw error
  }
}

async function newRequest(terminal: Terminal, login: Login, files: readonly LocalFile[]): Promise<UnansweredPost> {
  const mediaIds: string[] = []
  for (const file of files) {
    // Ctrl-C may have come before the upload began to listen to it.
    if (terminal.signal.aborted) throw stopped(resumable)
    mediaIds.push(await uploadFile(terminal, login, file))
  }
  return { requestId: randomUUID(), mediaIds }
}

async function createPost(
  terminal: Terminal,
  login: Login,
  { pages, title, caption, scheduledAt }: NewPost,
  { requestId, mediaIds }: UnansweredPost,
) {
  const api = apiOf(terminal, login)
  const params = { header: { 'Idempotency-Key': requestId } }
  const variants = pages.map(({ platform, socialAccountId, pageId }) => ({
    platform,
    socialAccountId,
    pageId,
    title,
    message: caption,
  }))
  const body = { mediaIds, variants }
  return scheduledAt === 'now'
    ? await callWithRetries(async () => await api.POST('/api/posts', { params, body }))
    : await callWithRetries(
        async () => await api.POST('/api/posts/schedule', { params, body: { ...body, scheduledAt } }),
      )
}

function withAdvice({ message, exitCode, details }: CommandFailed): CommandFailed {
  const advised = `${message}\nWhether the post was made is not known. Give the same command again: it makes no second post.`
  return new CommandFailed(advised, exitCode, { ...details, message: advised })
}
