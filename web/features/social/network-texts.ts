import { type Platform, platformNames } from '@flashsheet/contracts/networks'

/** What a network calls a page or channel. */
const placeNames: Record<Platform, string> = {
  facebook: 'Page',
  instagram: 'account',
  tiktok: 'account',
  youtube: 'channel',
  linkedin: 'page',
}

/** The texts of the connect dialog. */
export const connectTexts: Record<Platform, { body: string; requirements: readonly string[] }> = {
  facebook: {
    body: 'Facebook will ask who you are and which Pages Flashsheet may post to. Leave every box ticked, or posting will not work.',
    requirements: ['A Business Page', 'Admin access to the Page', 'Access to its Business Manager'],
  },
  instagram: {
    body: 'Instagram will ask you to log in and to allow Flashsheet to post for you.',
    requirements: [
      'A professional account (Business or Creator)',
      'After converting to a professional account, wait 24 hours',
    ],
  },
  tiktok: {
    body: 'TikTok connects the account this browser is logged into, so have a look there first.',
    requirements: ['A Business or Creator account', 'Logged into the right account'],
  },
  youtube: {
    body: 'Google will ask for your account and the channel Flashsheet may post to. Leave every box ticked, or posting will not work.',
    requirements: ['A Google account with a linked channel'],
  },
  linkedin: {
    body: 'LinkedIn will ask you to log in. Flashsheet then finds the pages you may post to.',
    requirements: ['A Business account', 'Admin access to the page', 'Access to its Business Manager'],
  },
}

/** The disconnect confirmation of one page. */
export function disconnectTexts(platform: Platform): { title: string; consequences: readonly string[] } {
  const place = placeNames[platform]
  return {
    title: `Disconnect this ${platformNames[platform]} ${place}?`,
    consequences: [
      `Scheduled posts from that ${place} will be deleted.`,
      'Information from former posts is removed.',
      'This action cannot be undone.',
    ],
  }
}
