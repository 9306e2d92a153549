import { facebookModule } from './services/facebook/module.ts'
import { google } from './services/google.ts'
import { instagramModule } from './services/instagram/module.ts'
import { linkedin } from './services/linkedin/linkedin.ts'
import { places } from './services/places.ts'
import { sink } from './services/sink.ts'
import { stripe } from './services/stripe.ts'
import { tiktok } from './services/tiktok/tiktok.ts'
import { youtube } from './services/youtube/youtube.ts'
import type { ServiceModule } from './context.ts'

/** Every service of the sandbox. */
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
