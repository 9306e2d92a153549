import type { HeadingFont, TextFont } from '@flashsheet/contracts/site-design'

/** Fonts of Apple, Microsoft and Android systems, by the weights of text that they stand in for. */
export const installedFonts = {
  Georgia: { local: ['Georgia'], weights: '400 700' },
  'Noto Serif': { local: ['Noto Serif', 'NotoSerif'], weights: '400 700' },
  Arial: { local: ['Arial', 'ArialMT'], weights: '400 500' },
  'Arial Bold': { local: ['Arial Bold', 'Arial-BoldMT'], weights: '501 700' },
  Roboto: { local: ['Roboto', 'Roboto-Regular'], weights: '400 500' },
  'Roboto Bold': { local: ['Roboto Bold', 'Roboto-Bold'], weights: '501 700' },
} as const
export type InstalledFont = keyof typeof installedFonts

type Metrics = { ascent: number; descent: number; sizes: Partial<Record<InstalledFont, number>> }

/**
 * Ascent and descent of each font in percent of an em, and the size in percent at which an installed font is as wide.
 * `scripts/site-fallback-fonts.test.ts` computes them from the files, and prints the new values when they differ.
 */
export const siteFontMetrics: Record<HeadingFont | TextFont, Metrics> = {
  'young-serif': { ascent: 104.6, descent: 36.6, sizes: { Georgia: 113.2, 'Noto Serif': 104.6 } },
  'grenze-gotisch': { ascent: 110, descent: 38, sizes: { Georgia: 82.9, 'Noto Serif': 76.6 } },
  'instrument-serif': { ascent: 99, descent: 31, sizes: { Georgia: 76.3, 'Noto Serif': 70.5 } },
  'alfa-slab-one': { ascent: 103.6, descent: 33.3, sizes: { Georgia: 121.1, 'Noto Serif': 111.9 } },
  fraunces: { ascent: 97.8, descent: 25.5, sizes: { Georgia: 98.9, 'Noto Serif': 91.4 } },
  'bodoni-moda': { ascent: 112.5, descent: 40, sizes: { Georgia: 106.7, 'Noto Serif': 98.6 } },
  karla: {
    ascent: 91.7,
    descent: 25.2,
    sizes: { Arial: 102.1, 'Arial Bold': 98.5, Roboto: 102.8, 'Roboto Bold': 104.8 },
  },
  'work-sans': {
    ascent: 93,
    descent: 24.3,
    sizes: { Arial: 112.3, 'Arial Bold': 104.8, Roboto: 113, 'Roboto Bold': 111.5 },
  },
  'instrument-sans': {
    ascent: 97,
    descent: 25,
    sizes: { Arial: 101.1, 'Arial Bold': 96.8, Roboto: 101.8, 'Roboto Bold': 103 },
  },
}

/** The families of `fallbackFaces`, in order: a system has the fonts of one of them. */
export const fallbackFamilies = (name: 'heading' | 'words') => `${name}-desktop,${name}-android`

const isAndroid = (installed: string) => installed.startsWith('Noto') || installed.startsWith('Roboto')

/** Font faces with the metrics of `font`, so that lines do not move when it loads after the first paint. */
export function fallbackFaces(name: 'heading' | 'words', font: HeadingFont | TextFont): string {
  const { ascent, descent, sizes } = siteFontMetrics[font]
  return Object.entries(sizes)
    .map(([installed, size]) => {
      const { local, weights } = installedFonts[installed as InstalledFont]
      const percent = (ofEm: number) => `${Math.round((ofEm / size) * 1000) / 10}%`
      return `@font-face{font-family:${name}-${isAndroid(installed) ? 'android' : 'desktop'};src:${local.map((one) => `local("${one}")`).join(',')};font-weight:${weights};size-adjust:${size}%;ascent-override:${percent(ascent)};descent-override:${percent(descent)};line-gap-override:0%}`
    })
    .join('')
}
