import { expect, test } from 'vitest'
import { mailHtml } from '../api/core/mail-layout.ts'
import { launch } from './browser.ts'

test.each([1, 2])(
  'a mail fits a phone with long words, with its style sheet removed, with text %i times as large',
  async (scale) => {
    const word = 'Schlegelsteinhausen'.repeat(6)
    const html = await mailHtml({
      subject: `Message from ${word}`,
      greeting: `${word} writes:`,
      paragraphs: [word],
      facts: [{ label: 'It sends you back to', value: 'ink.example' }],
      button: { label: `Answer ${word}`, url: 'http://localhost/' },
      reason: word,
    })
    const page = await (await launch()).newPage({ viewport: { width: 320, height: 600 } })
    await page.setContent(html.replace(/<style>.*<\/style>/s, ''))
    const [over, valueWidth] = await page.evaluate((times) => {
      for (const element of document.querySelectorAll<HTMLElement>('[style*="font-size"]'))
        element.style.fontSize = `${Number.parseFloat(element.style.fontSize) * times}px`
      const value = document.querySelector<HTMLElement>('td[align=right]')
      return [document.documentElement.scrollWidth - window.innerWidth, value?.offsetWidth ?? 0]
    }, scale)
    await page.close()
    expect(over).toBe(0)
    expect(valueWidth).toBeGreaterThan(45)
  },
)
