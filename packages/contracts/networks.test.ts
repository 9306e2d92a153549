import { describe, expect, test } from 'vitest'
import { networks, platforms } from './networks.ts'
import { postLimits } from './posts/limits.ts'
import { textLength, networkTexts } from './posts/rules.ts'
import { VariantOptions } from './posts/schema.ts'

describe('the texts at a network', () => {
  test('the title is sent where a network has one', () => {
    const words = { title: 'Swallow', message: 'Fresh\nfrom today' }
    expect(networkTexts('instagram', words, true)).toEqual({ title: '', text: words.message })
    expect(networkTexts('facebook', words, true)).toEqual({ title: 'Swallow', text: words.message })
    expect(networkTexts('facebook', words, false).title).toBe('')
    expect(networkTexts('youtube', { ...words, title: '' }, true)).toEqual({ title: 'Fresh', text: words.message })
    expect(networkTexts('youtube', { title: 'Swallow\rfrom today', message: '' }, true).title).toBe('Swallow')
    expect(networkTexts('youtube', { title: '', message: '' }, true)).toEqual({ title: 'New work', text: '' })
    expect(networkTexts('tiktok', { title: 'Swallow', message: '' }, true).text).toBe('Swallow')
  })

  test('characters that a network does not allow are replaced', () => {
    expect(networkTexts('youtube', { title: 'a < b', message: '<3' }, true)).toEqual({ title: 'a ‹ b', text: '‹3' })
    expect(networkTexts('youtube', { title: '<<', message: '>>' }, true)).toEqual({ title: '‹‹', text: '››' })
    expect(networkTexts('facebook', { title: '', message: '<3' }, true).text).toBe('<3')
  })

  test('the longest caption of the product fits each network by its own count, cut between two characters', () => {
    for (const platform of platforms) {
      const { caption, title } = networks[platform]
      // A replacement may be longer than its character.
      for (const character of ['a', '刺', '🐍', '<', '_']) {
        const message = character.repeat(postLimits.captionMax / character.length)
        const sent = networkTexts(platform, { title: message.slice(0, postLimits.titleMax), message }, true)
        expect(textLength(sent.text, caption)).toBeLessThanOrEqual(caption.max)
        expect(sent.text.isWellFormed()).toBe(true)
        if (title) expect(textLength(sent.title, title)).toBeLessThanOrEqual(title.max)
      }
    }
  })
})

test('the extras of a network are the options that its contract accepts', () => {
  for (const platform of platforms) {
    const { extras } = networks[platform]
    const options: Record<string, { unwrap: () => { shape: object } }> = VariantOptions.shape
    const taken = options[platform]
    expect(taken ? Object.keys(taken.unwrap().shape) : []).toEqual(extras)
  }
})
