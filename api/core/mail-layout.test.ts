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
}

test('in plain text all of it stands below each other', () => {
  expect(mailPlain(mail)).toBe(
    'Hi Ada & Co,\n\nFirst.\n\nSee http://localhost:3000/a?b=1&c=2. Or (https://x.example/y), whichever.\n\nAmount: $49.00\nPlan: <b>Complete</b>\n\nGo: http://localhost:3000/go?a=1&b="2"\n\n--\nYou are getting this email because of http://localhost:3000/settings',
  )
})

test('in HTML nothing anybody wrote is markup, and every address can be followed', async () => {
  const html = await mailHtml(mail)
  expect(html).not.toContain('<b>Complete')
  expect(html).not.toContain('<receipt>')
  expect([...html.matchAll(/href="([^"]*)"/g)].map((match) => match[1])).toEqual([
    'http://localhost:3000/a?b=1&amp;c=2',
    'https://x.example/y',
    'http://localhost:3000/go?a=1&amp;b=&quot;2&quot;',
    'http://localhost:3000/settings',
  ])
})

test('a mail without facts and button has neither', async () => {
  const { facts: _facts, button: _button, ...bare } = mail
  expect(await mailHtml(bare)).not.toMatch(/class="button"|Amount/)
  expect(mailPlain(bare)).not.toMatch(/Amount|Go:/)
})
