/** Network ids, in the order they are shown. */
export const platforms = ['facebook', 'instagram', 'tiktok', 'youtube', 'linkedin'] as const
export type Platform = (typeof platforms)[number]

/** How the length of a text is counted; a network that only says "characters" is counted in UTF-16 units, which are never fewer. */
export const countingUnits = ['utf16', 'codepoints', 'bytes'] as const
export type TextLimit = { max: number; counts: (typeof countingUnits)[number] }

/** Both inclusive. */
export type Range = { min?: number; max?: number }

type ImageRules = {
  /** Pictures in one post. */
  count: number
  /** What is sent: a PNG becomes a JPEG where PNG is missing here. */
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
  /** Takes MP4 alone, so that a MOV is put into one with its frames untouched. */
  mp4Only?: true
  /** Wants the index at the beginning of the file and no edit list, which is mended with the frames untouched. */
  plainFileOnly?: true
}

/** How many posts a network takes in a day, and what we let one artist have of what is everybody's. */
export type DailyAllowance = {
  /** Begins the names under which it is counted (`quota_buckets`). */
  bucket: string
  limit: number
  /** Counts these alone; absent: every post. */
  of?: 'reels'
  /** `rolling`: the last 24 hours. `pacific`: from midnight to midnight in California. */
  days: 'rolling' | 'pacific'
  /** `prepare`: an upload that begins counts. `publish`: what is published counts. */
  drawnBy: 'prepare' | 'publish'
  /** Why a post waits; `#` stands for the limit. */
  usedUp: string
  /** One allowance for all artists together; absent: each page has its own. `artistLimit`: what one of them can have of it. */
  shared?: { artistLimit: number; usedUp: string }
}

export type NetworkRules = {
  name: string
  /** A page's public address: what stands before and after its handle or id. `handleOrId`: the id where no handle is known. */
  profile: { before: string; after: string; by: 'handle' | 'id' | 'handleOrId' }
  /** The text of a post. Flashsheet's own limit for all of them is `postLimits.captionMax`. */
  caption: TextLimit
  /** There where a post has a title that is always shown; it is made of the caption when none was written. */
  title?: TextLimit
  /** A video has a title beside its text. */
  titlesVideos?: true
  /** More than `advised` are unwelcome, more than `max` are refused. */
  hashtags?: { max: number; advised: number }
  mentions?: { max: number }
  /** Characters that title and text may not hold, each with what is sent in its place. */
  replaces?: Readonly<Record<string, string>>
  /** What it takes; what every file of the product meets is left out. `images`: null where it takes none. */
  media: { images: ImageRules | null; video: VideoRules }
  /** What can be chosen for a page of it beside its words, as `options.<network>` names it. */
  extras: readonly string[]
  /** The extras of a page for which none were chosen; absent: none. */
  extraDefaults?: Readonly<Record<string, string | boolean>>
  /** The choices are read from the network for each post, and the artist makes them for each post. */
  asksCreator?: true
  /** Absent where the network names none. */
  allowance?: DailyAllowance
  preview: {
    /** About how much of the text is shown before "more"; null: none of it. */
    fold: { characters: number; lines: number } | null
    textFirst: boolean
    /** Width by height of the frame that media are shown in. */
    frame: Record<'image' | 'video', Required<Range>>
    /** Shows its own buttons and words over a video. */
    coversVideo?: true
  }
}

const always = (ratio: number): Required<Range> => ({ min: ratio, max: ratio })
const portrait = 9 / 16
/** The feed of Facebook, Instagram and LinkedIn. */
const feedPicture: Required<Range> = { min: 4 / 5, max: 1.91 }
const feedVideo: Required<Range> = { min: portrait, max: 1.91 }

/** What each network takes and shows. Sources and how sure they are: docs/networks. */
export const networks: Record<Platform, NetworkRules> = {
  facebook: {
    name: 'Facebook',
    profile: { before: 'https://www.facebook.com/', after: '', by: 'handleOrId' },
    caption: { max: 63_206, counts: 'utf16' },
    titlesVideos: true,
    // 10 MB are documented; some apps still hit a wall at 4 MB.
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
    profile: { before: 'https://www.instagram.com/', after: '/', by: 'handle' },
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
    // The lower of the two documented figures, until the account's own is read.
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
    profile: { before: 'https://www.tiktok.com/@', after: '', by: 'handle' },
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
    profile: { before: 'https://www.youtube.com/channel/', after: '', by: 'id' },
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
      // Enough for five busy artists; one artist does not need more in a day (decision 15).
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
    profile: { before: 'https://www.linkedin.com/company/', after: '/', by: 'handleOrId' },
    caption: { max: 3000, counts: 'utf16' },
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
export function nameList(listed: readonly Platform[]): string {
  return new Intl.ListFormat('en').format(listed.map((platform) => platformNames[platform]))
}
