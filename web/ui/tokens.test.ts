import * as fs from 'node:fs'
import { describe, expect, test } from 'vitest'

const css = fs.readFileSync(new URL('./tokens.css', import.meta.url), 'utf8')
const modes = ['light', 'dark'] as const
type Mode = (typeof modes)[number]

function token(name: string, mode: Mode, source = css): string {
  const match = new RegExp(`--${name}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\)`).exec(source)
  const value = match?.[mode === 'light' ? 1 : 2]
  if (!value) throw new Error(`tokens.css has no plain colour --${name}`)
  return value
}

/** Relative luminance as in WCAG 2. */
function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(a: string, b: string): number {
  const [low, high] = [luminance(a), luminance(b)].toSorted((x, y) => x - y) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

const grounds = ['paper', 'surface', 'raised', 'sunken']
const texts = ['ink', 'muted', 'red-text', 'posted', 'scheduled', 'failed', 'pending']
const states = ['posted', 'scheduled', 'failed', 'pending']

const textPairs: [string, string][] = [
  ...grounds.flatMap((ground) => texts.map((text): [string, string] => [text, ground])),
  ...states.flatMap((state): [string, string][] => [
    [state, `${state}-tint`],
    ['ink', `${state}-tint`],
  ]),
  ['red-text', 'red-tint'],
  ['ink', 'red-tint'],
  ['on-red', 'red'],
  ['on-red', 'red-hover'],
  ['on-ink', 'ink-fill'],
  ['on-ink', 'ink-fill-hover'],
]

const controlPairs: [string, string][] = [
  ...grounds.map((ground): [string, string] => ['edge', ground]),
  ...['paper', 'surface'].map((ground): [string, string] => ['red', ground]),
  ...grounds.map((ground): [string, string] => ['scheduled', ground]),
]

/** A colour with transparency over a plain one. */
function over(name: string, ground: string, mode: Mode): number[] {
  const match = new RegExp(`--${name}: light-dark\\((#[0-9a-f]{8}), (#[0-9a-f]{8})\\)`).exec(css)
  const top = match?.[mode === 'light' ? 1 : 2] ?? ''
  const channel = (hex: string, at: number) => Number.parseInt(hex.slice(at, at + 2), 16)
  const alpha = channel(top, 7) / 255
  return [1, 3, 5].map((at) => Math.round(alpha * channel(top, at) + (1 - alpha) * channel(ground, at)))
}

describe.each(modes)('%s', (mode) => {
  test('--paper-below-scrim is the colour of --paper under --scrim', () => {
    const shown = token('paper-below-scrim', mode)
    const channels = [1, 3, 5].map((at) => Number.parseInt(shown.slice(at, at + 2), 16))
    expect(channels).toEqual(over('scrim', token('paper', mode), mode))
  })

  test.each(textPairs)('text: %s on %s reaches 4.5:1', (text, ground) => {
    expect(contrast(token(text, mode), token(ground, mode))).toBeGreaterThanOrEqual(4.5)
  })
  test.each(controlPairs)('controls: %s on %s reaches 3:1', (edge, ground) => {
    expect(contrast(token(edge, mode), token(ground, mode))).toBeGreaterThanOrEqual(3)
  })
})

test.each(modes)('%s: where more contrast is wanted, notes and outlines have 7:1 and dividing lines 3:1', (mode) => {
  const more = css.slice(css.indexOf('@media (prefers-contrast: more)'))
  for (const [name, least] of [
    ['muted', 7],
    ['edge', 7],
    ['line', 3],
  ] as const)
    for (const ground of grounds)
      expect(contrast(token(name, mode, more), token(ground, mode)), `${name} on ${ground}`).toBeGreaterThanOrEqual(
        least,
      )
})
