import { expect, test } from 'vitest'
import { mailHtml, mailPlain, type MailText } from './mail-layout.ts'

const mail: MailText = {
  subject: 'Your <receipt>',
  greeting: 'Hi Ada & Co,',
  paragraphs: ['First.', 'See http://localhost:3000/a?b=1&c=2. Or (https://x.example/y), whichever.'],
  facts: [
    { label: 'Amount', value: '$49.00' },
    { label: 'Plan', value: '<b>Complete</b>' },
  ],
  button: { label: 'Go', url: 'http://localhost:3000/go?a=1&b="2"' },
  reason: 'You are getting this email because of http://localhost:3000/settings',
  links: ['http://localhost:3000/a?b=1&c=2', 'http://localhost:3000/settings'],
}

test('writes the parts of the plain text below each other', () => {
  expect(mailPlain(mail)).toBe(
    'Hi Ada & Co,\n\nFirst.\n\nSee http://localhost:3000/a?b=1&c=2. Or (x\u2060.example/y), whichever.\n\nAmount: $49.00\nPlan: <b>Complete</b>\n\nGo: http://localhost:3000/go?a=1&b="2"\n\n--\nYou are getting this email because of http://localhost:3000/settings',
  )
})

test('escapes all texts in the HTML, and links only our own addresses', async () => {
  const html = await mailHtml(mail)
  expect(html).not.toContain('<b>Complete')
  expect(html).not.toContain('<receipt>')
  expect([...html.matchAll(/href="([^"]*)"/g)].map((match) => match[1])).toEqual([
    'http://localhost:3000/a?b=1&amp;c=2',
    'http://localhost:3000/go?a=1&amp;b=&quot;2&quot;',
    'http://localhost:3000/settings',
  ])
})

test('a mail without facts and button has neither', async () => {
  const { facts: _facts, button: _button, ...bare } = mail
  expect(await mailHtml(bare)).not.toMatch(/class="button"|Amount/)
  expect(mailPlain(bare)).not.toMatch(/Amount|Go:/)
})

/** What mail programs turn into links: a scheme, `www.`, a host, a mail address. */
const linkable = /[a-z][a-z0-9+.-]*:\/\/\S|www\.|[\p{L}\p{N}_-]\.\p{L}{2,}|[^\s\u2060]@\S/iu

test('leaves nothing in the text of a stranger that mail programs would link', async () => {
  const typed = [
    'Sign in at http://evil.example/win?a=b.c',
    'your prize: evil.example',
    'www.evil.example',
    'HTTPS://HTTP://EVIL.EXAMPLE',
    'ftp://10.0.0.1/x',
    'evil\u3002example',
    '(win@evil.example)',
    'https://evil.example/@inkwell',
    'a.b.c.evil.example:8080/path',
  ]
  for (const words of typed) {
    const html = await mailHtml({
      subject: words,
      greeting: `Hi ${words},`,
      paragraphs: [words, `From ${words}`],
      facts: [{ label: 'What', value: words }],
      button: { label: `Answer ${words}`, url: 'http://localhost:3000/own' },
      reason: words,
    })
    expect(
      [...html.matchAll(/href="([^"]*)"/g)].map((match) => match[1]),
      words,
    ).toEqual(['http://localhost:3000/own'])
    const body = html.slice(html.indexOf('<body')).replaceAll(/<[^>]*>/g, ' ')
    expect(linkable.exec(body.normalize('NFKC').replaceAll('\u3002', '.'))?.[0], words).toBeUndefined()
    const plain = mailPlain({ subject: words, greeting: `Hi ${words},`, paragraphs: [words], reason: words })
    // A mail address stays whole in plain text, where it is copied from.
    expect(/[a-z]+:\/\/|www\.|(?<!@)\bevil\.example/i.exec(plain)?.[0], words).toBeUndefined()
  }
})

test('leaves texts without an address unchanged', async () => {
  for (const words of [
    'It costs $49.00 on Nov. 3, 9 a.m.',
    'St. John (J. R. R.)',
    'Friday, December 4, 2026, 9:00am-10:00am',
    '@inkwell',
  ]) {
    expect(mailPlain({ subject: '', greeting: words, paragraphs: [], reason: '' })).toContain(words)
    expect(
      (await mailHtml({ subject: '', greeting: words, paragraphs: [], reason: '' })).replaceAll('&#39;', "'"),
    ).toContain(words)
  }
})
