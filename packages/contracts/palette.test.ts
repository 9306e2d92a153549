import { describe, expect, test } from 'vitest'
import {
  bestOn,
  contrast,
  defaultBranding,
  readableControl,
  readableOn,
  readablePalette,
  readableText,
} from './palette.ts'
import { Color } from './website/schema.ts'

/** Each takes a millisecond, so only the long run tries many. */
const palettes = process.env['TEST_LONG'] === '1' ? 2000 : 300

/** Pseudo-random colours, the same in every run. */
function* colors(seed: number): Generator<string, never> {
  let state = seed
  for (;;) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    yield `#${Math.floor((state / 2_147_483_648) * 0x1000000)
      .toString(16)
      .padStart(6, '0')}`
  }
}

test('contrast matches WCAG’s definition', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
  expect(contrast('#0000ff', '#ffffff')).toBeCloseTo(8.59, 2)
  expect(contrast('#abcdef', '#abcdef')).toBe(1)
})

test.each([
  ['black', '#000000'],
  ['Dark Red', '#8b0000'],
  [' #FfF ', '#ffffff'],
  ['#B3241C', '#b3241c'],
])('%s is %s', (written, color) => expect(Color.parse(written)).toBe(color))

test.each(['', 'blue', '#12', '#12345', '#1234567', 'rgb(1,2,3)', '#ggg', 'url(x)', '#fff;}'])(
  '%j is no colour',
  (written) => {
    expect(Color.safeParse(written).success).toBe(false)
  },
)

describe('whatever an artist chooses', () => {
  test('every pair of text and background is readable, and every control is visible', () => {
    const next = colors(42)
    const extremes = ['#000000', '#ffffff', '#777777', '#767676', '#808080', '#ffff00', '#0000ff']
    const choices = [
      ...extremes.flatMap((background) =>
        extremes.map((color) => ({
          backgroundColor: background,
          textColor: color,
          buttonColor: color,
          hoverColor: background,
        })),
      ),
      ...Array.from({ length: palettes }, () => ({
        backgroundColor: next.next().value,
        textColor: next.next().value,
        buttonColor: next.next().value,
        hoverColor: next.next().value,
      })),
    ]
    const faults: string[] = []
    for (const choice of choices) {
      const p = readablePalette(choice)
      const texts = {
        text: [p.text, p.background],
        muted: [p.muted, p.background],
        accent: [p.accent, p.background],
        button: [p.onButton, p.button],
        hover: [p.onHover, p.hover],
        quiet: [p.background, p.text],
      } as const
      const wrong = Object.entries(texts).flatMap(([name, [ink, paper]]) =>
        contrast(ink, paper) >= readableText ? [] : [name],
      )
      for (const name of ['button', 'hover'] as const)
        if (!(contrast(p[name], p.background) >= readableControl)) wrong.push(`${name} on the background`)
      if (p.background !== choice.backgroundColor) wrong.push('another background')
      if (wrong.length > 0) faults.push(`${wrong.join(', ')} of ${JSON.stringify(choice)}`)
    }
    expect(faults).toEqual([])
  })

  test('readable colours are not changed', () => {
    const next = colors(7)
    for (let n = 0; n < 500; n++) {
      const [ink, paper] = [next.next().value, next.next().value]
      if (contrast(ink, paper) >= readableText) expect(readableOn(ink, paper, readableText)).toBe(ink)
    }
    expect(readablePalette(defaultBranding)).toMatchObject({
      background: '#000000',
      text: '#ffffff',
      button: '#ff0000',
      accent: '#ff0000',
    })
  })

  test('a colour is changed only a little, and keeps its hue', () => {
    expect(contrast(readableOn('#d2402f', '#15110e', readableText), '#15110e')).toBeLessThan(4.8)
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
      Number.parseInt(readableOn('#8b0000', '#000000', readableText).slice(at, at + 2), 16),
    )
    expect(red).toBeGreaterThan(200)
    expect(Math.max(green, blue)).toBeLessThan(120)
  })

  test('black or white is readable on every colour', () => {
    const next = colors(3)
    for (let n = 0; n < 1000; n++) {
      const paper = next.next().value
      expect(contrast(bestOn(paper), paper)).toBeGreaterThanOrEqual(4.5)
    }
  })
})
