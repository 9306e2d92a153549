import type { Hono } from 'hono'
import { frontPage } from './front-page.ts'
import { inboxPages } from './mail/inbox-pages.ts'
import { pageNames } from './page-names.ts'
import { facebookModule } from './services/facebook/module.ts'
import { google } from './services/google.ts'
import { instagramModule } from './services/instagram/module.ts'
import { linkedin } from './services/linkedin/linkedin.ts'
import { places } from './services/places.ts'
import { stripe } from './services/stripe.ts'
import { tiktok } from './services/tiktok/tiktok.ts'
import { youtube } from './services/youtube/youtube.ts'
import { wall } from './wall.ts'
import type { ServiceModule, World } from './world.ts'

/** Every service the sandbox plays; a new one adds its line here. Hosts may be shared: each module routes its own paths. */
export const modules: readonly ServiceModule[] = [
  facebookModule,
  instagramModule,
  tiktok,
  youtube,
  linkedin,
  stripe,
  google,
  places,
]

/** Pages of the sandbox's own, mounted at the root. */
export const pages: readonly ((world: World) => Hono)[] = [
  frontPage,
  inboxPages,
  (world) =>
    wall(
      world,
      pageNames(() => modules, world),
    ),
]
