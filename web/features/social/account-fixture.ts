import type { Platform } from '@flashsheet/contracts/networks'
import type { SocialAccount, TiktokCreatorInfo } from '@flashsheet/contracts/social/schema'

/** The `at`th connected account, with pages of these names, for tests. A page has its name as its id. */
export const connectedAccount = (at: number, platform: Platform, pageNames: readonly string[] = []): SocialAccount => ({
  _id: `019a0000-0000-7000-8000-00000000000${at}`,
  platform,
  providerName: 'Marlo Vance',
  providerUserId: String(at),
  health: 'ok',
  reconnectBy: null,
  pages: pageNames.map((name) => ({ pageId: name, name, username: null, picture: null, connectedAt: null })),
})

/** A TikTok creator who may use everything. */
export const creator: TiktokCreatorInfo = {
  nickname: 'Quill',
  username: 'quill.tattoo',
  privacyLevels: ['PUBLIC_TO_EVERYONE', 'SELF_ONLY'],
  commentDisabled: false,
  duetDisabled: false,
  stitchDisabled: false,
  maxVideoSeconds: 600,
  blocked: null,
}
