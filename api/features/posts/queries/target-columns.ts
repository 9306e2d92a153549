import { calendarTitleMax } from '@flashsheet/contracts/posts/limits'
import { postTargets } from '@flashsheet/db/schema/posts'
import { sql } from 'drizzle-orm'

/** The columns that every reader of a target needs: its page and its text. */
export const commonColumns = {
  id: postTargets.id,
  postId: postTargets.postId,
  userId: postTargets.userId,
  platform: postTargets.platform,
  accountId: postTargets.accountId,
  pageId: postTargets.pageId,
  pageName: postTargets.pageName,
  title: postTargets.title,
  message: postTargets.message,
  options: postTargets.options,
  crops: postTargets.crops,
  permalink: postTargets.permalink,
}

/** The title of a post's page, or the beginning of its message, which is shown instead of a missing title. */
export const titleColumns = {
  postId: postTargets.postId,
  title: postTargets.title,
  message: sql<string>`left(${postTargets.message}, ${calendarTitleMax}::int)`,
}
