/** The colours an artist chooses, with their defaults. */
export const defaultBranding = {
  backgroundColor: '#000000',
  textColor: '#ffffff',
  buttonColor: '#ff0000',
  hoverColor: '#8b0000',
} as const

export type Branding = Record<keyof typeof defaultBranding, string>

/** All colours of a public page. Text has a contrast of at least 4.5:1, controls of at least 3:1. */
export type Palette = {
  background: string
  text: string
  /** Secondary text: less contrast than `text`, but enough. */
  muted: string
  /** The button's colour as text on the background: links. */
  accent: string
  button: string
  onButton: string
  hover: string
  onHover: string
  /** Dividing lines. */
  line: string
}

/** The least contrast of text and of a control with its background (WCAG 2.2, 1.4.3 and 1.4.11). */
export const readableText = 4.5
export const readableControl = 3

type Rgb = readonly [number, number, number]

const channels = (hex: string): Rgb =>
  [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255) as unknown as Rgb
const toHex = (rgb: Rgb): string =>
  `#${rgb
    .map((value) =>
      Math.round(Math.min(1, Math.max(0, value)) * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`
const linear = (value: number): number => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
const gamma = (value: number): number => (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055)

function luminance(hex: string): number {
  const [r, g, b] = channels(hex).map(linear) as unknown as Rgb
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** WCAG's contrast of two `#rrggbb`: 1 to 21. */
export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

/** OKLab is perceptually uniform, so a colour keeps its hue when its lightness changes. */
function toOklab(hex: string): Rgb {
  const [r, g, b] = channels(hex).map(linear) as unknown as Rgb
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ]
}

function fromOklab([lightness, a, b]: Rgb): Rgb {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    gamma(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    gamma(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    gamma(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ] as const
}

const inGamut = (rgb: Rgb): boolean => rgb.every((value) => value >= -0.0005 && value <= 1.0005)

/** The colour at another lightness, with as much of its chroma as sRGB has there. */
function atLightness([, a, b]: Rgb, lightness: number): string {
  for (let chroma = 1; chroma > 0; chroma -= 0.05) {
    const rgb = fromOklab([lightness, a * chroma, b * chroma])
    if (inGamut(rgb)) return toHex(rgb)
  }
  return toHex(fromOklab([lightness, 0, 0]))
}

/**
 * `color` itself if its contrast with `background` is at least `ratio`; otherwise its nearest lighter or darker shade with
 * that contrast, or black or white if there is none.
 */
export function readableOn(color: string, background: string, ratio: number): string {
  if (contrast(color, background) >= ratio) return color
  const lab = toOklab(color)
  for (let step = 0.005; step <= 1; step += 0.005) {
    for (const lightness of [lab[0] + step, lab[0] - step]) {
      if (lightness < 0 || lightness > 1) continue
      const moved = atLightness(lab, lightness)
      if (contrast(moved, background) >= ratio) return moved
    }
  }
  return bestOn(background)
}

/** Black or white, whichever has more contrast: at least 4.58:1 on any colour. */
export function bestOn(background: string): string {
  return contrast('#ffffff', background) >= contrast('#000000', background) ? '#ffffff' : '#000000'
}

function mix(one: string, other: string, share: number): string {
  const [a, b] = [channels(one), channels(other)]
  return toHex(a.map((value, i) => value * (1 - share) + (b[i] ?? 0) * share) as unknown as Rgb)
}

/** The palette of the public pages: the chosen colours, changed only as far as contrast requires. */
export function readablePalette(branding: Branding): Palette {
  const background = branding.backgroundColor
  const text = readableOn(branding.textColor, background, readableText)
  const button = readableOn(branding.buttonColor, background, readableControl)
  const hover = readableOn(branding.hoverColor, background, readableControl)
  return {
    background,
    text,
    muted: readableOn(mix(text, background, 0.28), background, readableText),
    accent: readableOn(branding.buttonColor, background, readableText),
    button,
    onButton: bestOn(button),
    hover,
    onHover: bestOn(hover),
    line: mix(background, text, 0.18),
  }
}
