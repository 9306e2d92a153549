import { Hono } from 'hono'
import { redirectToFeed } from '../../post-link.ts'
import type { ServiceModule } from '../../context.ts'
import { identities, makeChannel } from './state.ts'
import { uploadRoutes } from './upload.ts'
import { readRoutes } from './videos.ts'

/**
 * YouTube: channels, resumable uploads and their processing (docs/networks/youtube.md). Consent and tokens are Google's
 * (`google-grants.ts`). Every channel is a login with one page. The daily quotas apply while quotas are on. Whether an
 * app was audited does not change the visibility of its uploads.
 */
export const youtube: ServiceModule = {
  service: 'youtube',
  hosts: {
    'www.googleapis.com/youtube': readRoutes,
    'www.googleapis.com/upload': uploadRoutes,
    'www.youtube.com': (sandbox) => new Hono().get('/*', (c) => redirectToFeed(c, sandbox, 'youtube')),
  },
  defaults: (sandbox) => ({ identities: identities(sandbox) }),
  makePage: makeChannel,
}
