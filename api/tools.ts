import type { Tool } from './core/tools.ts'
import { appointmentTools } from './features/appointments/tools.ts'
import { draftTools } from './features/drafts/tools.ts'
import { mediaTools } from './features/media/tools.ts'
import { postTools } from './features/posts/tools.ts'
import { socialTools } from './features/social/tools.ts'
import { websiteTools } from './features/website/tools.ts'

/** Every tool that an assistant may call, in the order in which they are listed for it. */
export const toolTable: readonly Tool[] = [
  ...socialTools,
  ...mediaTools,
  ...postTools,
  ...draftTools,
  ...appointmentTools,
  ...websiteTools,
]
