import { postTargets } from '@flashsheet/db/schema/posts'

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
