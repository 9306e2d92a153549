import type { Hono } from 'hono'
import { frontPage } from './front-page.ts'
import { inboxPages } from './mail/inbox-pages.ts'
import { pageNames } from './page-names.ts'
import { facebookModule } from './services/facebook/module.ts'
import { google } from './services/google.ts'
import { instagramModule } from './services/instagram/module.ts'
import { linkedin } from './services/linkedin/linkedin.ts'
import { places } from './services/places.ts'
import { sink } from './services/sink.ts'
import { stripe } from './services/stripe.ts'
import { tiktok } from './services/tiktok/tiktok.ts'
import { youtube } from './services/youtube/youtube.ts'
import { publicFeed } from './public-feed.ts'
import type { ServiceModule, SandboxContext } from './context.ts'

/**
 * Every service of the sandbox. Two modules may share a host, each with its own paths.
 */
export const modules: readonly ServiceModule[] = [
  facebookModule,
  instagramModule,
  tiktok,
  youtube,
  linkedin,
  stripe,
  google,
  places,
  sink,
]

/** The sandbox's own pages, mounted at the root. */
export const pages: readonly ((sandbox: SandboxContext) => Hono)[] = [
  frontPage,
  inboxPages,
  (sandbox) => publicFeed(sandbox, pageNames(modules, sandbox)),
]
