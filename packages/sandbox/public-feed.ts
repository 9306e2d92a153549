import { Hono, type Context } from 'hono'
import { html } from 'hono/html'
import { page } from './page.ts'
import { feedFiles } from './feed-files.ts'
import { card, networkNames, feedStyle } from './feed-post.ts'
import { pageName } from './page-names.ts'
import type { Network, PublishedPost, SandboxContext } from './context.ts'

const pageSize = 30

/**
 * The public feed: everything the networks show in public, newest first, roughly in each network's layout. `/wall`,
 * `/wall/<network>`, `/wall/<network>/<post id>`, their media, and portraits.
 */
export function publicFeed(sandbox: SandboxContext): Hono {
  const app = new Hono()
  app.route('/', feedFiles(sandbox))

  app.get('/wall', (c) => many(c, 'all'))
  app.get('/wall/:network', (c) => many(c, c.req.param('network')))
  const many = (c: Context, asked: string): Response | Promise<Response> => {
    const network = networkOf(asked)
    if (!network && asked !== 'all') return missing(c)
    const all = newest(sandbox, network)
    const from = Math.max(0, Number(c.req.query('from') ?? 0) || 0)
    const shown = all.slice(from, from + pageSize)
    const title = network ? networkNames[network] : 'Every network'
    const body = html`<style>${feedStyle}</style>
      <h1>Wall</h1>
      <p class="muted">What the networks show the public. Nothing here ever left this machine.</p>
      ${tabs(sandbox, network)}
      ${shown.length === 0 ? html`<p class="nothing">Nothing was published ${network ? `to ${title}` : ''} yet.</p>` : ''}
      <div class="wall">${shown.map((post) => card(post, pageName(sandbox, post.platform, post.pageId)))}</div>
      ${all.length > from + pageSize ? html`<p><a class="button" href="?from=${from + pageSize}">Older posts</a></p>` : ''}`
    return page(c, { title: `${title} · Wall`, service: network ? networkNames[network] : undefined, wide: true }, body)
  }

  app.get('/wall/:network/:id', (c) => {
    const network = networkOf(c.req.param('network'))
    const id = c.req.param('id')
    const post = sandbox.posts().find((one) => one.platform === network && one.id === id)
    if (!post) return missing(c)
    const name = pageName(sandbox, post.platform, post.pageId)
    const body = html`<style>${feedStyle}</style>
      <p><a href="/wall/${post.platform}">All of ${networkNames[post.platform]}</a></p>
      <h1 class="unseen">Post of ${name.name}</h1>
      <div class="wall single">${card(post, name)}</div>`
    return page(c, { title: `${name.name} · Wall`, service: networkNames[post.platform] }, body)
  })
  return app

  function missing(c: Context): Response | Promise<Response> {
    return page(
      c,
      { title: 'Not available', status: 404 },
      html`<h1>This post is not available</h1><p><a href="/wall">To the wall</a></p>`,
    )
  }
}

function networkOf(word: string): Network | undefined {
  return Object.keys(networkNames).find((network): network is Network => network === word)
}

function newest(sandbox: SandboxContext, network: Network | undefined): PublishedPost[] {
  return sandbox
    .posts()
    .filter((post) => network === undefined || post.platform === network)
    .toReversed()
    .toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at))
}

function tabs(sandbox: SandboxContext, current: Network | undefined) {
  const counts = new Map<string, number>()
  for (const post of sandbox.posts()) counts.set(post.platform, (counts.get(post.platform) ?? 0) + 1)
  const tab = (key: string, name: string, count: number, here: boolean) =>
    html`<a class="button tab" href="${key === 'all' ? '/wall' : `/wall/${key}`}" ${here ? 'aria-current="page"' : ''}>${name} <span class="badge">${count}</span></a>`
  return html`<nav class="tabs" aria-label="Networks">
    ${tab('all', 'All', sandbox.posts().length, current === undefined)}
    ${Object.entries(networkNames).map(([key, name]) => tab(key, name, counts.get(key) ?? 0, key === current))}
  </nav>`
}
