import type { Context } from 'hono'
import { html, raw } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'
import type { Network } from './context.ts'
import { pageStyle } from './page-style.ts'

export type Markup = HtmlEscapedString | Promise<HtmlEscapedString>

/** `service` is the service that this page imitates; the page has its colour. */
export type PageOptions = {
  title: string
  service?: string
  wide?: boolean
  status?: 200 | 400 | 404 | 409
}

export const accents: Record<string, string> = {
  facebook: '#0866ff',
  instagram: '#c13584',
  tiktok: '#111111',
  youtube: '#d90429',
  linkedin: '#0a66c2',
  google: '#1a73e8',
  stripe: '#635bff',
} satisfies Record<Network | 'google' | 'stripe', string>

/** Answers 404 in the name of a service. */
export function missingPage(c: Context, service: string, title: string, message: string): Response | Promise<Response> {
  return page(c, { title, service, status: 404 }, html`<h1>${message}</h1>`)
}

/** Answers a whole page in the sandbox's layout. */
export function page(c: Context, options: PageOptions, body: Markup): Response | Promise<Response> {
  const subtitle = options.service ? `stand-in for ${options.service}` : 'stand-ins, nothing is real'
  return c.html(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="robots" content="noindex" />
          <title>${options.title} · Sandbox</title>
          <style>
            ${raw(pageStyle)}
          </style>
        </head>
        <body style="--accent: ${accents[options.service?.toLowerCase() ?? ''] ?? '#b3261e'}">
          <header>
            <a href="/"><b>Sandbox</b></a><span>${subtitle}</span>
            <nav><a href="/inbox">Inbox</a><a href="/wall">Wall</a></nav>
          </header>
          <main class="${options.wide ? 'wide' : ''}">${body}</main>
        </body>
      </html>`,
    options.status ?? 200,
  )
}
