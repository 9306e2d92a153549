import { router } from './core/procedures.ts'
import { adminRouter } from './features/admin/router.ts'
import { appointmentsRouter } from './features/appointments/router.ts'
import { assistantsRouter } from './features/assistants/router.ts'
import { authRouter } from './features/auth/router.ts'
import { draftsRouter } from './features/drafts/router.ts'
import { keysRouter } from './features/keys/router.ts'
import { mediaRouter } from './features/media/router.ts'
import { noticesRouter } from './features/notices/router.ts'
import { postsRouter } from './features/posts/router.ts'
import { socialRouter } from './features/social/router.ts'
import { subscriptionRouter } from './features/subscription/router.ts'
import { webhooksRouter } from './features/webhooks/router.ts'
import { websiteRouter } from './features/website/router.ts'

export const appRouter = router({
  auth: authRouter,
  keys: keysRouter,
  assistants: assistantsRouter,
  webhooks: webhooksRouter,
  subscription: subscriptionRouter,
  media: mediaRouter,
  social: socialRouter,
  website: websiteRouter,
  posts: postsRouter,
  drafts: draftsRouter,
  appointments: appointmentsRouter,
  notices: noticesRouter,
  admin: adminRouter,
})

export type AppRouter = typeof appRouter
