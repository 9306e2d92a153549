import type { Post, PostVariant } from '@flashsheet/contracts/posts/schema'

/** A scheduled variant for a Facebook page, for tests. */
export const scheduledVariant = (patch: Partial<PostVariant> = {}): PostVariant => ({
  _id: 'facebook',
  platform: 'facebook',
  postId: 'post',
  socialAccountId: 'account',
  pageId: 'page',
  pageName: 'Black Quill',
  title: '',
  message: '',
  options: {},
  status: 'scheduled',
  phase: 'scheduled',
  progress: null,
  errorMessage: null,
  nextTryAt: null,
  mayBeThere: null,
  pageUrl: null,
  permalink: null,
  ...patch,
})

/** A scheduled post with one variant, for tests. */
export const scheduledPost = (patch: Partial<Post> = {}): Post => ({
  _id: 'post',
  status: 'scheduled',
  scheduledAt: '2026-11-21T18:00:00.000Z',
  updatedAt: '2026-11-01T00:00:00.000Z',
  errorMessage: null,
  mediaIds: [],
  media: [],
  variants: [scheduledVariant()],
  ...patch,
})
