import { contrast, type Palette } from '@flashsheet/contracts/palette'
import type { HeadingFont, SiteFonts, TextFont } from '@flashsheet/contracts/site-design'
import { html } from 'hono/html'
import * as fs from 'node:fs'
import { fileURLToPath } from 'node:url'
import { fontUrls } from './assets.ts'
import { fallbackFaces, fallbackFamilies } from './fallback-fonts.ts'
import type { Html } from './rendered.ts'

const css = fs
  .readFileSync(fileURLToPath(new URL('site.css', import.meta.url)), 'utf8')
  .replaceAll(/\/\*.*?\*\//gs, '')
  .split('\n')
  .map((line) => line.trim())
  .join('')
  .replaceAll(/(?<!\s)\s+(?=[{};,])|(?<=[{};,])\s+/g, '')
  .replaceAll(': ', ':')

/** The colours and fonts of a site. `plate` is a colour behind a logo that would not be visible on the background. */
export type SiteTheme = { palette: Palette; fonts: SiteFonts | null; plate: string | null }

/** The theme of pages without a known artist. */
export const defaultTheme: SiteTheme = {
  palette: {
    background: '#151210',
    text: '#f2eadd',
    muted: '#b0a494',
    accent: '#ff8a78',
    button: '#cc382d',
    onButton: '#ffffff',
    hover: '#b32d23',
    onHover: '#ffffff',
    line: '#38312b',
  },
  fonts: null,
  plate: null,
}

/** System fonts. */
const serif = "'Iowan Old Style','Palatino Linotype',Palatino,'URW Palladio L',P052,Georgia,serif"
const sans = "system-ui,-apple-system,'Segoe UI',Roboto,sans-serif"

/** The scale of each heading font, so that all of them look equally large. */
const headingScale: Record<HeadingFont, number> = {
  'young-serif': 0.92,
  'grenze-gotisch': 1.12,
  'instrument-serif': 1.08,
  'alfa-slab-one': 0.8,
  fraunces: 0.96,
  'bodoni-moda': 0.98,
}

/** `onButton` is `--on-button`. */
const tokenName = (key: string) => `--${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

/** The content of the page's style element. */
export function styleOf({ palette, fonts, plate }: SiteTheme): string {
  const isDark = contrast(palette.background, '#ffffff') > contrast(palette.background, '#000000')
  const tokens = [
    ...Object.entries(palette).map(([key, color]) => `${tokenName(key)}:${color}`),
    ...(plate === null ? [] : [`--plate:${plate}`]),
    `--heading:${fonts ? `heading,${fallbackFamilies('heading')},${serif}` : serif}`,
    `--words:${fonts ? `words,${fallbackFamilies('words')},${sans}` : sans}`,
    `--scale:${fonts ? headingScale[fonts.heading] : 1}`,
  ]
  const faces = fonts ? `${face('heading', fonts.heading)}${face('words', fonts.text)}` : ''
  return `${faces}:root{color-scheme:${isDark ? 'dark' : 'light'};${tokens.join(';')}}${css}`
}

// The range of weights keeps browsers from synthesising a bold heading font, which has only one weight.
const face = (name: 'heading' | 'words', font: HeadingFont | TextFont) =>
  `@font-face{font-family:${name};src:url(${fontUrls[font]}) format("woff2");font-weight:400 700;font-display:swap}${fallbackFaces(name, font)}`

/** Preloads the fonts before the browser parses the style that uses them. */
export function fontLinks({ fonts }: SiteTheme): Html | '' {
  if (!fonts) return ''
  return html`${[fonts.heading, fonts.text].map((name) => html`<link rel="preload" href="${fontUrls[name]}" as="font" type="font/woff2" crossorigin>`)}`
}
