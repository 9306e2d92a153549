import { calendarTitleMax } from '@flashsheet/contracts/posts/limits'
import { postTargets } from '@flashsheet/db/schema/posts'
import { sql } from 'drizzle-orm'

/** The title of a post's page, or the beginning of its message, which is shown instead of a missing title. */
export const titleColumns = {
  postId: postTargets.postId,
  title: postTargets.title,
  message: sql<string>`left(${postTargets.message}, ${calendarTitleMax}::int)`,
}
