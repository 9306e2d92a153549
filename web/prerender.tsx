import { createMemoryHistory, RouterContextProvider } from '@tanstack/react-router'
import { App, createAppRouter } from './app.tsx'
import { blogPosts } from './features/blog/posts.ts'
import { AppPending } from './features/shell/app-pending.tsx'
import { renderComplete } from './lib/render-complete.ts'

/** Pages that are the same for everyone: prerendered at build time and hydrated in the browser. */
export const pages: string[] = [
  '/',
  '/privacy-policy',
  '/terms-of-service',
  '/blog',
  ...blogPosts.map(({ slug }) => `/blog/${slug}`),
  '/support',
  '/contact',
  '/developers',
  '/login',
  '/register',
]

/** The path patterns of all routes, such as `/blog/$slug`. The server answers any other path with 404. */
export function patterns(): string[] {
  return Object.keys(createAppRouter(createMemoryHistory()).routesByPath)
}

/** The path patterns of the signed-in screens, which share a prerendered skeleton. */
export function framed(): string[] {
  const router = createAppRouter(createMemoryHistory())
  return Object.entries(router.routesByPath).flatMap(([path, { id }]) => (/^\/(?:_app|admin)\b/.test(id) ? [path] : []))
}

/** The skeleton of the signed-in screens, for `#root`: shown while scripts are loading, then replaced by React. */
export function frame(): string {
  return renderComplete(
    <RouterContextProvider router={createAppRouter(createMemoryHistory({ initialEntries: ['/new-post'] }))}>
      <AppPending />
    </RouterContextProvider>,
  )
}

/** Prerenders a page without a session: the content of `<head>` and of `#root`, and the ids of its routes. */
export async function prerender(path: string): Promise<{ head: string; body: string; routeIds: string[] }> {
  const router = createAppRouter(createMemoryHistory({ initialEntries: [path] }))
  await router.load()
  const html = renderComplete(<App router={router} />)
  // React renders titles and metadata first in the body; hydration expects them in the head.
  const [head = ''] = /^(?:<title>[^<]*<\/title>|<(?:meta|link)\b[^>]*>)+/.exec(html) ?? []
  return { head, body: html.slice(head.length), routeIds: router.state.matches.map(({ routeId }) => routeId) }
}

/** The blog as RSS 2.0. */
export function feed(): string {
  const escaped = (text: string) => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)
  const items = blogPosts.map(({ slug, date, title, summary }) => {
    const url = `%PUBLIC_URL%/blog/${slug}`
    return `<item><title>${escaped(title)}</title><link>${url}</link><guid>${url}</guid><pubDate>${new Date(date).toUTCString()}</pubDate><description>${escaped(summary)}</description></item>`
  })
  const channel =
    '<title>Flashsheet Blog</title><link>%PUBLIC_URL%/blog</link><description>Notes for people who tattoo and post.</description><language>en-us</language>'
  return `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0"><channel>${channel}${items.join('')}</channel></rss>`
}
