import type { Branding } from './palette.ts'

/** Layouts of a site, named by what comes first below its name. The builder chooses the first one for a new site. */
export const siteLayouts = ['gallery', 'portrait', 'flash'] as const
export type SiteLayout = (typeof siteLayouts)[number]

/** Files of `api/pages/fonts`, without the extension. */
export type HeadingFont =
  | 'young-serif'
  | 'grenze-gotisch'
  | 'instrument-serif'
  | 'alfa-slab-one'
  | 'fraunces'
  | 'bodoni-moda'
export type TextFont = 'karla' | 'work-sans' | 'instrument-sans'

export type SiteFonts = { heading: HeadingFont; text: TextFont }

export const sitePaletteIds = ['bone', 'night', 'chalk', 'sailor', 'moss', 'rose'] as const
export type SitePaletteId = (typeof sitePaletteIds)[number]

/** Matching colours, with a pair of fonts. The builder chooses the first one for a new site. */
export const sitePalettes: Record<SitePaletteId, SiteFonts & { name: string; colors: Branding }> = {
  bone: {
    name: 'Bone',
    colors: { backgroundColor: '#f5efe4', textColor: '#1c1815', buttonColor: '#a8281f', hoverColor: '#7f1d16' },
    heading: 'young-serif',
    text: 'karla',
  },
  night: {
    name: 'Night',
    colors: { backgroundColor: '#14110f', textColor: '#f2eadd', buttonColor: '#e0604c', hoverColor: '#c24a38' },
    heading: 'grenze-gotisch',
    text: 'work-sans',
  },
  chalk: {
    name: 'Chalk',
    colors: { backgroundColor: '#ffffff', textColor: '#111111', buttonColor: '#111111', hoverColor: '#444444' },
    heading: 'instrument-serif',
    text: 'instrument-sans',
  },
  sailor: {
    name: 'Sailor',
    colors: { backgroundColor: '#10243a', textColor: '#f6ecd6', buttonColor: '#e4b04a', hoverColor: '#c9952f' },
    heading: 'alfa-slab-one',
    text: 'work-sans',
  },
  moss: {
    name: 'Moss',
    colors: { backgroundColor: '#22302a', textColor: '#f0ead9', buttonColor: '#d8a25e', hoverColor: '#bf8744' },
    heading: 'fraunces',
    text: 'karla',
  },
  rose: {
    name: 'Rose',
    colors: { backgroundColor: '#f3dfd9', textColor: '#3a1119', buttonColor: '#7a1f33', hoverColor: '#571322' },
    heading: 'bodoni-moda',
    text: 'instrument-sans',
  },
}
