import { createInterface } from 'node:readline/promises'
import { apiOf, unwrapAnswer } from './api-call.ts'
import { readLogin, saveLogin } from './config-file.ts'
import { listen } from './listen.ts'
import { pickPages } from './pick-pages.ts'
import { sendPost } from './send-post.ts'
import { CommandFailed, exitCodes, misused, stopped, type Terminal } from './terminal.ts'

export type Options = Partial<Record<'url' | 'to' | 'caption' | 'title' | 'at' | 'limit' | 'port' | 'secret', string>>
/** The result of a command: `data` is printed with --json, `text` otherwise. */
type Outcome = { data: unknown; text: string }
type Run = (terminal: Terminal, args: string[], options: Options, json: boolean) => Promise<Outcome | undefined>
type Command = { run: Run; maxArgs: number; takes: (keyof Options)[] }

const defaultUrl = 'http://localhost:3000'
/** An ISO instant. Without its zone it would mean the zone of this computer, which need not be the artist's. */
const isInstant = (text: string) => /T.+(?:Z|[+-]\d{2}:?\d{2})$/i.test(text) && !Number.isNaN(Date.parse(text))

const login: Run = async (terminal, _args, { url = defaultUrl }) => {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) throw misused(`${url} is no address.`)
  const lines = createInterface({ input: terminal.input, signal: terminal.signal })
  // Before the prompt: it would not notice that the input was closed by Ctrl-C.
  const entries = lines[Symbol.asyncIterator]()
  terminal.err('Paste an API key (Settings, Developers): ')
  const apiKey = (await entries.next()).value ?? ''
  lines.close()
  if (terminal.signal.aborted) throw stopped()
  const entered = { url: new URL(url).origin, apiKey: apiKey.trim() }
  // A header cannot contain other characters.
  if (!/^[!-~]*$/.test(entered.apiKey)) throw new CommandFailed('This API key is not valid.', exitCodes.notLoggedIn)
  const me = await unwrapAnswer(apiOf(terminal, entered).GET('/api/me'))
  await saveLogin(terminal.folder, entered)
  return { data: me, text: `Logged in as ${me.name} (${me.email}).` }
}

const post: Run = async (terminal, files, { to = '', caption = '', title = '', at = 'now' }) => {
  if (files.length === 0) throw misused('Please name the files to post.')
  if (!/[^\s,]/.test(to)) throw misused('Please say where to: --to instagram,facebook')
  const stored = await readLogin(terminal.folder)
  // The arguments are checked before anything is uploaded.
  const pages = pickPages(await unwrapAnswer(apiOf(terminal, stored).GET('/api/social-accounts')), to)
  if (at !== 'now' && at !== 'next-slot' && !isInstant(at))
    throw misused(`${at} is no time. Please give it with its zone, such as 2026-05-04T15:00:00Z.`)
  const scheduledAt = at === 'now' || at === 'next-slot' ? at : new Date(at).toISOString()
  const created = await sendPost(terminal, stored, { files, pages, title, caption, scheduledAt })
  const where = pages.map(({ platform, name }) => `${platform} (${name})`).join(', ')
  const link = new URL(`/scheduled-posts?post=${created._id}`, stored.url).href
  const when = at === 'now' ? 'Sent' : `Scheduled for ${created.scheduledAt}`
  return { data: { ...created, link }, text: `${when}: ${where}\n${link}` }
}

const posts: Run = async (terminal, _args, { limit = '20' }) => {
  if (!/^\d+$/.test(limit)) throw misused(`${limit} is no number.`)
  const api = apiOf(terminal, await readLogin(terminal.folder))
  const list = await unwrapAnswer(api.GET('/api/posts', { params: { query: { limit: Number(limit) } } }))
  const lines = list.map(
    ({ _id, status, scheduledAt, variants }) =>
      `${_id}  ${status.padEnd(9)}  ${scheduledAt}  ${[...new Set(variants.map(({ platform }) => platform))].join(', ')}`,
  )
  return { data: list, text: lines.length === 0 ? 'There are no posts yet.' : lines.join('\n') }
}

const retry: Run = async (terminal, [postId]) => {
  if (postId === undefined) throw misused('Please name the post: flashsheet retry <id>')
  const api = apiOf(terminal, await readLogin(terminal.folder))
  const retried = await unwrapAnswer(api.POST('/api/posts/{postId}/retry', { params: { path: { postId } }, body: {} }))
  return { data: retried, text: `Tried again: ${retried.status}.` }
}

const webhooks: Run = async (terminal, [verb], { port = '8787', secret }, json) => {
  if (verb !== 'listen') throw misused('Please say: flashsheet webhooks listen')
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) throw misused(`${port} is no port.`)
  await listen(terminal, { port: Number(port), secret, json })
  return undefined
}

export const commands: Record<string, Command> = {
  login: { run: login, maxArgs: 0, takes: ['url'] },
  post: { run: post, maxArgs: Infinity, takes: ['to', 'caption', 'title', 'at'] },
  posts: { run: posts, maxArgs: 0, takes: ['limit'] },
  retry: { run: retry, maxArgs: 1, takes: [] },
  webhooks: { run: webhooks, maxArgs: 1, takes: ['port', 'secret'] },
}
