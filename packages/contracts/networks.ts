/** Network ids, in the order they are shown. */
export const platforms = ['facebook', 'instagram', 'tiktok', 'youtube', 'linkedin'] as const
export type Platform = (typeof platforms)[number]

export const platformNames: Record<Platform, string> = {
  facebook: 'Facebook',
  instagram: 'Instagram',
  tiktok: 'TikTok',
  youtube: 'YouTube',
  linkedin: 'LinkedIn',
}

/** Networks that take no images. */
export const videoOnlyPlatforms: readonly Platform[] = ['tiktok', 'youtube']
