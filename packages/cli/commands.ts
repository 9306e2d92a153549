import { createInterface } from 'node:readline/promises'
import { apiOf, ask } from './ask.ts'
import { readLogin, saveLogin } from './config-file.ts'
import { listen } from './listen.ts'
import { pickPages } from './pick-pages.ts'
import { sendPost } from './send-post.ts'
import { misused, type Terminal } from './terminal.ts'

export type Options = Partial<Record<'url' | 'to' | 'caption' | 'title' | 'at' | 'limit' | 'port' | 'secret', string>>
/** What a command found: for programs, and for people. */
type Outcome = { data: unknown; text: string }
type Command = (terminal: Terminal, given: string[], options: Options, json: boolean) => Promise<Outcome | undefined>

const standardUrl = 'http://localhost:3000'

const login: Command = async (terminal, _given, { url = standardUrl }) => {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) throw misused(`${url} is no address.`)
  const lines = createInterface({ input: terminal.input })
  terminal.err('Paste an API key (Settings, Developers): ')
  const apiKey = (await lines[Symbol.asyncIterator]().next()).value ?? ''
  lines.close()
  const found = { url: new URL(url).origin, apiKey: apiKey.trim() }
  const me = await ask(apiOf(found).GET('/api/me'))
  await saveLogin(terminal.folder, found)
  return { data: me, text: `Logged in as ${me.name} (${me.email}).` }
}

const post: Command = async (terminal, files, { to, caption = '', title = '', at = 'now' }) => {
  if (files.length === 0) throw misused('Please name the files to post.')
  if (to === undefined) throw misused('Please say where to: --to instagram,facebook')
  const found = await readLogin(terminal.folder)
  // Checked before anything is sent, so that a typing mistake costs no upload.
  const pages = pickPages(await ask(apiOf(found).GET('/api/social-accounts')), to)
  if (at !== 'now' && at !== 'next-slot' && Number.isNaN(Date.parse(at))) throw misused(`${at} is no time.`)
  const scheduledAt = at === 'now' || at === 'next-slot' ? at : new Date(at).toISOString()
  const made = await sendPost(terminal, found, { files, pages, title, caption, scheduledAt })
  const where = pages.map(({ platform, name }) => `${platform} (${name})`).join(', ')
  const link = new URL(`/scheduled-posts?post=${made._id}`, found.url).href
  const when = at === 'now' ? 'Sent' : `Scheduled for ${made.scheduledAt}`
  return { data: { ...made, link }, text: `${when}: ${where}\n${link}` }
}

const posts: Command = async (terminal, _given, { limit = '20' }) => {
  const api = apiOf(await readLogin(terminal.folder))
  const found = await ask(api.GET('/api/posts', { params: { query: { limit: Number(limit) } } }))
  const lines = found.map(
    ({ _id, status, scheduledAt, variants }) =>
      `${_id}  ${status.padEnd(9)}  ${scheduledAt}  ${[...new Set(variants.map(({ platform }) => platform))].join(', ')}`,
  )
  return { data: found, text: lines.length === 0 ? 'There are no posts yet.' : lines.join('\n') }
}

const retry: Command = async (terminal, [postId]) => {
  if (postId === undefined) throw misused('Please name the post: flashsheet retry <id>')
  const api = apiOf(await readLogin(terminal.folder))
  const found = await ask(api.POST('/api/posts/{postId}/retry', { params: { path: { postId } }, body: {} }))
  return { data: found, text: `Tried again: ${found.status}.` }
}

const webhooks: Command = async (terminal, [verb], { port = '8787', secret }, json) => {
  if (verb !== 'listen') throw misused('Please say: flashsheet webhooks listen')
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) throw misused(`${port} is no port.`)
  await listen(terminal, { port: Number(port), secret, json })
  return undefined
}

export const commands: Record<string, Command> = { login, post, posts, retry, webhooks }
