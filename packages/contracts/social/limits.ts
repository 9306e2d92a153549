export const socialLimits = { accounts: 5 } as const

export const tiktokPrivacyLevels = [
  'PUBLIC_TO_EVERYONE',
  'MUTUAL_FOLLOW_FRIENDS',
  'FOLLOWER_OF_CREATOR',
  'SELF_ONLY',
] as const
export type TiktokPrivacyLevel = (typeof tiktokPrivacyLevels)[number]
