import { expect, test } from 'vitest'
import { foldedText, frameRatio, sentText } from './preview-rules.ts'

test('cuts a long caption at a word, at the length of the network', () => {
  const text = 'flash '.repeat(60)
  const { shown, more } = foldedText('instagram', text)
  expect(more).toBe(true)
  expect(shown.length).toBeLessThanOrEqual(125)
  expect(shown.endsWith('flash')).toBe(true)
  expect(foldedText('facebook', text)).toEqual({ shown: text.trim(), more: false })
  expect(foldedText('instagram', 'x'.repeat(300)).shown).toHaveLength(125)
  expect(foldedText('instagram', '👩🏽‍🎨'.repeat(40)).shown).toBe('👩🏽‍🎨'.repeat(17))
  expect(foldedText('instagram', 'Fresh\n\n#flash #moth')).toEqual({ shown: 'Fresh', more: true })
  expect(foldedText('linkedin', 'Fresh\n\n#flash #moth')).toEqual({ shown: 'Fresh\n\n#flash #moth', more: false })
})

test('limits the frame to the ratios that a network shows', () => {
  const tall = { type: 'image' as const, dimensions: { width: 1000, height: 2000 } }
  expect(frameRatio('instagram', tall)).toBe(4 / 5)
  expect(frameRatio('instagram', { ...tall, dimensions: { width: 3000, height: 1000 } })).toBe(1.91)
  expect(frameRatio('facebook', { ...tall, dimensions: null })).toBe(1)
  expect(frameRatio('youtube', undefined)).toBe(16 / 9)
})

test('describes sent media by format, dimensions and file size', () => {
  const one = {
    type: 'image' as const,
    mimeType: 'image/jpeg' as const,
    bytes: 312_400,
    width: 1440,
    height: 1800,
    url: '/x',
  }
  expect(sentText('instagram', [one])).toBe('Instagram gets: JPEG, 1440 × 1800, 312 KB')
  expect(sentText('instagram', [one, one])).toBe('Instagram gets: 2 files, JPEG, 1440 × 1800, 625 KB together')
  expect(sentText('linkedin', [one, { ...one, mimeType: 'image/png', width: 800 }])).toBe(
    'LinkedIn gets: 2 files, 625 KB together',
  )
  expect(sentText('facebook', [])).toBe('')
})
