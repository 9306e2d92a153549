import type { RestRow } from './core/rest.ts'
import { adminRest } from './features/admin/rest.ts'
import { appointmentRest } from './features/appointments/rest.ts'
import { assistantRest } from './features/assistants/rest.ts'
import { authRest } from './features/auth/rest.ts'
import { draftRest } from './features/drafts/rest.ts'
import { keyRest } from './features/keys/rest.ts'
import { mediaRest } from './features/media/rest.ts'
import { postRest } from './features/posts/rest.ts'
import { socialRest } from './features/social/rest.ts'
import { subscriptionRest } from './features/subscription/rest.ts'
import { webhookRest } from './features/webhooks/rest.ts'
import { websiteRest } from './features/website/rest.ts'
import { openApiRow } from './openapi/document.ts'
import { previewRow } from './pages/preview.ts'

/** Every REST path of the product, mounted once. */
export const restTable: readonly RestRow[] = [
  ...authRest,
  ...keyRest,
  ...assistantRest,
  ...webhookRest,
  ...subscriptionRest,
  ...mediaRest,
  ...socialRest,
  ...websiteRest,
  previewRow,
  ...postRest,
  ...draftRest,
  ...adminRest,
  ...appointmentRest,
  openApiRow(() => restTable),
]
