/** Network ids, in the order they are shown. */
export const platforms = ['facebook', 'instagram', 'tiktok', 'youtube', 'linkedin'] as const
export type Platform = (typeof platforms)[number]

/**
 * How a text is counted. Networks that document only "characters" are counted in UTF-16 units, which are never fewer than
 * characters.
 */
export const countingUnits = ['utf16', 'bytes'] as const
export type TextLimit = {
  max: number
  counts: (typeof countingUnits)[number]
  /** Characters that are sent with a backslash, which counts as well. */
  escapes?: string
}

/** Both inclusive. */
export type Range = { min?: number; max?: number }

type ImageRules = {
  /** Pictures in one post. */
  count: number
  /** The types that are sent: a PNG is converted to JPEG if it is missing here. */
  types: readonly ('image/jpeg' | 'image/png')[]
  bytes?: number
  /** Pixels. */
  width?: Required<Range>
  /** Width by height; a picture of another shape is filled with white. */
  ratio?: Required<Range>
}

type VideoRules = {
  seconds?: Range
  bytes?: Range
  framesPerSecond?: Range
  /** Pixels of either side. */
  side?: Range
  /** Pixels. */
  width?: Range
  /** Width by height. */
  ratio?: Range
  /** Picture and sound together, on average. */
  megabitsPerSecond?: number
  codecs?: readonly string[]
  audioCodecs?: readonly string[]
  /** Accepts only MP4, so a MOV is remuxed without re-encoding. */
  mp4Only?: true
  /** Requires the index at the beginning of the file and no edit list; other files are remuxed without re-encoding. */
  plainFileOnly?: true
}

/** The posts that a network accepts per day, and how we share an allowance of the whole installation. */
export type DailyAllowance = {
  /** The prefix of its names in `quota_buckets`. */
  bucket: string
  limit: number
  /** Counts only these; absent: every post. */
  of?: 'reels'
  /** `rolling`: the last 24 hours. `pacific`: from midnight to midnight in California. */
  days: 'rolling' | 'pacific'
  /** What counts: `prepare`: each upload that begins; `publish`: each publication. */
  drawnBy: 'prepare' | 'publish'
  /** Why a post waits; `#` stands for the limit. */
  usedUp: string
  /** All artists share one allowance; absent: each page has its own. `artistLimit`: the most for one artist. */
  shared?: { artistLimit: number; usedUp: string }
}

export type NetworkRules = {
  name: string
  /** The account that it requires, as in "a Page you manage". */
  account: string
  /** A page's public address: the texts before and after its handle or id. `handleOrId`: the id if no handle is known. */
  profile: { before: string; after: string; by: 'handle' | 'id' | 'handleOrId' }
  /** The text before a page's handle where the network shows it. */
  handlePrefix: string
  /** The text of a post. Flashsheet's own limit for all of them is `postLimits.captionMax`. */
  caption: TextLimit
  /** Present if every post has a title; a missing one is made from the caption. */
  title?: TextLimit
  /** A video has a title besides its text. */
  titlesVideos?: true
  /** More than `advised` are discouraged, more than `max` are refused. */
  hashtags?: { max: number; advised: number }
  mentions?: { max: number }
  /** Characters that title and text may not contain, each with its replacement. */
  replaces?: Readonly<Record<string, string>>
  /** Rules for media, without those that every file of the product meets. `images` is null if pictures are not accepted. */
  media: { images: ImageRules | null; video: VideoRules }
  /** Options of a page besides its texts: the fields of `options.<network>`. */
  extras: readonly string[]
  /** The default extras; absent: none. */
  extraDefaults?: Readonly<Record<string, string | boolean>>
  /** The choices must be read from the network, and made by the artist, for each post. */
  asksCreator?: true
  /** Absent if the network documents none. */
  allowance?: DailyAllowance
  preview: {
    /** Approximately how much of the text is shown before "more"; null: none. */
    fold: { characters: number; lines: number } | null
    textFirst: boolean
    /** Width by height of the frame in which media are shown. */
    frame: Record<'image' | 'video', Required<Range>>
    /** The network shows its buttons and texts over a video. */
    coversVideo?: true
  }
}

const always = (ratio: number): Required<Range> => ({ min: ratio, max: ratio })
const portrait = 9 / 16
/** The feed of Facebook, Instagram and LinkedIn. */
const feedPicture: Required<Range> = { min: 4 / 5, max: 1.91 }
const feedVideo: Required<Range> = { min: portrait, max: 1.91 }

/** Limits and previews of the networks. docs/networks has the sources, and how sure they are. */
export const networks: Record<Platform, NetworkRules> = {
  facebook: {
    name: 'Facebook',
    account: 'a Page you manage',
    profile: { before: 'https://www.facebook.com/', after: '', by: 'handleOrId' },
    handlePrefix: '@',
    caption: { max: 63_206, counts: 'utf16' },
    titlesVideos: true,
    // 10 MB are documented, but some apps are refused above 4 MB.
    media: { images: { count: 10, types: ['image/jpeg'], bytes: 4_000_000 }, video: { mp4Only: true } },
    extras: [],
    allowance: {
      bucket: 'reels',
      limit: 30,
      of: 'reels',
      days: 'rolling',
      drawnBy: 'publish',
      usedUp: 'Facebook takes # reels a day for a page, and they are used up.',
    },
    preview: {
      fold: { characters: 477, lines: 5 },
      textFirst: true,
      frame: { image: feedPicture, video: feedVideo },
    },
  },
  instagram: {
    name: 'Instagram',
    account: 'a Business or Creator account',
    profile: { before: 'https://www.instagram.com/', after: '/', by: 'handle' },
    handlePrefix: '@',
    caption: { max: 2200, counts: 'utf16' },
    hashtags: { max: 30, advised: 5 },
    mentions: { max: 20 },
    media: {
      images: {
        count: 10,
        types: ['image/jpeg'],
        bytes: 8_000_000,
        width: { min: 320, max: 1440 },
        ratio: { min: 4 / 5, max: 1.91 },
      },
      video: {
        seconds: { min: 3 },
        bytes: { max: 300_000_000 },
        framesPerSecond: { min: 23, max: 60 },
        width: { max: 1920 },
        ratio: { min: 0.01, max: 10 },
        megabitsPerSecond: 25,
        codecs: ['avc', 'hevc'],
        audioCodecs: ['aac'],
        plainFileOnly: true,
      },
    },
    extras: [],
    // The lower of two documented figures, used until the account's own limit is read.
    allowance: {
      bucket: 'instagram',
      limit: 50,
      days: 'rolling',
      drawnBy: 'publish',
      usedUp: 'Instagram takes # posts a day from an account, and they are used up.',
    },
    preview: {
      fold: { characters: 125, lines: 2 },
      textFirst: false,
      frame: { image: feedPicture, video: always(portrait) },
      coversVideo: true,
    },
  },
  tiktok: {
    name: 'TikTok',
    account: 'a Business or Creator account',
    profile: { before: 'https://www.tiktok.com/@', after: '', by: 'handle' },
    handlePrefix: '@',
    caption: { max: 2200, counts: 'utf16' },
    media: {
      images: null,
      video: {
        framesPerSecond: { min: 23, max: 60 },
        side: { min: 360, max: 4096 },
        codecs: ['avc', 'hevc', 'vp8', 'vp9'],
      },
    },
    extras: ['privacyLevel', 'allowComment', 'allowDuet', 'allowStitch', 'yourBrand', 'brandedContent'],
    asksCreator: true,
    allowance: {
      bucket: 'tiktok',
      limit: 15,
      days: 'rolling',
      drawnBy: 'publish',
      usedUp: 'TikTok takes about # posts a day from an account, and they are used up.',
    },
    preview: {
      fold: { characters: 90, lines: 2 },
      textFirst: false,
      frame: { image: always(portrait), video: always(portrait) },
      coversVideo: true,
    },
  },
  youtube: {
    name: 'YouTube',
    account: 'a Google account with a channel',
    profile: { before: 'https://www.youtube.com/channel/', after: '', by: 'id' },
    handlePrefix: '@',
    caption: { max: 5000, counts: 'bytes' },
    title: { max: 100, counts: 'utf16' },
    replaces: { '<': '‹', '>': '›' },
    media: { images: null, video: {} },
    extras: ['privacyStatus', 'madeForKids'],
    extraDefaults: { privacyStatus: 'public', madeForKids: false },
    allowance: {
      bucket: 'youtube',
      limit: 100,
      days: 'pacific',
      drawnBy: 'prepare',
      usedUp: "YouTube takes # videos a day from all of Flashsheet, and today's are used up.",
      // Enough for five busy artists; one artist needs no more in a day (decision 15).
      shared: {
        artistLimit: 20,
        usedUp:
          "YouTube takes few videos a day from all of Flashsheet. # of them can be yours, and today's are used up.",
      },
    },
    preview: { fold: null, textFirst: false, frame: { image: always(16 / 9), video: always(16 / 9) } },
  },
  linkedin: {
    name: 'LinkedIn',
    account: 'a company page you manage',
    profile: { before: 'https://www.linkedin.com/company/', after: '/', by: 'handleOrId' },
    handlePrefix: 'linkedin.com/company/',
    caption: { max: 3000, counts: 'utf16', escapes: String.raw`\|{}@[]()<>#*_~` },
    titlesVideos: true,
    media: {
      images: { count: 10, types: ['image/jpeg', 'image/png'] },
      video: { seconds: { min: 3 }, bytes: { min: 75_000 }, mp4Only: true },
    },
    extras: [],
    preview: {
      fold: { characters: 210, lines: 3 },
      textFirst: true,
      frame: { image: feedPicture, video: feedVideo },
    },
  },
}

export const platformNames = Object.fromEntries(
  platforms.map((platform) => [platform, networks[platform].name]),
) as Record<Platform, string>

/** Networks that take no pictures. */
export const videoOnlyPlatforms: readonly Platform[] = platforms.filter(
  (platform) => networks[platform].media.images === null,
)

/** Networks in a sentence: "TikTok and YouTube". */
export function nameList(listed: readonly Platform[] = platforms): string {
  return new Intl.ListFormat('en').format(listed.map((platform) => platformNames[platform]))
}
