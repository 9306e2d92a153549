import { expect, test } from 'vitest'
import { contrast, readableControl, readablePalette, readableText } from './palette.ts'
import { sitePaletteIds, sitePalettes } from './site-design.ts'

test.each(sitePaletteIds)('%s has enough contrast, so none of its colours is changed', (id) => {
  const { colors } = sitePalettes[id]
  const { background, text, muted, accent, button, onButton, hover, onHover } = readablePalette(colors)
  expect({ background, text, accent, button, hover }).toEqual({
    background: colors.backgroundColor,
    text: colors.textColor,
    accent: colors.buttonColor,
    button: colors.buttonColor,
    hover: colors.hoverColor,
  })
  for (const [color, behind] of [
    [text, background],
    [muted, background],
    [accent, background],
    [onButton, button],
    [onHover, hover],
  ] as const)
    expect(contrast(color, behind)).toBeGreaterThanOrEqual(readableText)
  for (const control of [button, hover]) expect(contrast(control, background)).toBeGreaterThanOrEqual(readableControl)
})

test('no two palettes look the same', () => {
  expect(new Set(sitePaletteIds.map((id) => JSON.stringify(sitePalettes[id].colors))).size).toBe(sitePaletteIds.length)
  expect(new Set(sitePaletteIds.map((id) => sitePalettes[id].heading)).size).toBe(sitePaletteIds.length)
})
