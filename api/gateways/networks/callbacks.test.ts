import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { openSignedRequest, openTiktokEvent } from './callbacks.ts'

const base64 = (text: string | Buffer) => Buffer.from(text).toString('base64url')
const signed = (payload: string, secret: string) =>
  `${createHmac('sha256', secret).update(base64(payload)).digest('base64url')}.${base64(payload)}`
const secrets = [
  ['facebook', 'secret of facebook'],
  ['instagram', 'secret of instagram'],
] as const

describe('a signed request of Meta', () => {
  const payload = { user_id: '10226001845530122', algorithm: 'HMAC-SHA256', issued_at: 1_795_000_000 }

  test('is attributed to the network that signed it', () => {
    for (const [platform, secret] of secrets) {
      expect(openSignedRequest(signed(JSON.stringify(payload), secret), secrets)).toEqual({
        platform,
        userId: payload.user_id,
        at: new Date(1_795_000_000_000),
      })
    }
  })

  test('keeps every digit of a numeric id', () => {
    const text = JSON.stringify(payload).replace('"10226001845530122"', '24900871155500001')
    expect(openSignedRequest(signed(text, secrets[1][1]), secrets)?.userId).toBe('24900871155500001')
  })

  test.each([
    ['another secret', signed(JSON.stringify(payload), 'guessed')],
    ['another algorithm', signed(JSON.stringify({ ...payload, algorithm: 'none' }), secrets[0][1])],
    ['no user', signed(JSON.stringify({ ...payload, user_id: '' }), secrets[0][1])],
    ['no time', signed(JSON.stringify({ ...payload, issued_at: undefined }), secrets[0][1])],
    ['no JSON', signed('user_id', secrets[0][1])],
    [
      'a changed payload',
      signed(JSON.stringify(payload), secrets[0][1]).replace(
        /\.(.*)/,
        `.${base64(JSON.stringify({ ...payload, user_id: '1' }))}`,
      ),
    ],
    ['no signature', `.${base64(JSON.stringify(payload))}`],
    ['no payload', createHmac('sha256', secrets[0][1]).update('').digest('base64url')],
    ['three parts', `${signed(JSON.stringify(payload), secrets[0][1])}.x`],
    ['nothing', ''],
  ])('with %s is rejected', (_what, text) => {
    expect(openSignedRequest(text, secrets)).toBeUndefined()
  })
})

describe('an event of TikTok', () => {
  const now = new Date('2026-11-22T12:00:00Z')
  const body = JSON.stringify({
    client_key: 'k',
    event: 'post.publish.complete',
    create_time: 1_795_000_000,
    user_openid: 'o',
    content: '{"publish_id":"v_pub~1"}',
  })
  const header = (secret: string, at = now.getTime() / 1000, raw = body) =>
    `t=${at},s=${createHmac('sha256', secret).update(`${at}.${raw}`).digest('hex')}`

  test('is verified and parsed', () => {
    const event = { event: 'post.publish.complete', openId: 'o', at: new Date(1_795_000_000_000), publishId: 'v_pub~1' }
    expect(openTiktokEvent(body, header('s'), 's', now)).toEqual(event)
    expect(openTiktokEvent(body, header('s', now.getTime() / 1000 - 299), 's', now)).toEqual(event)
    const bare = body.replace('"{\\"publish_id\\":\\"v_pub~1\\"}"', '"not JSON"')
    expect(openTiktokEvent(bare, header('s', undefined, bare), 's', now)).toEqual({ ...event, publishId: undefined })
  })

  test.each([
    ['another secret', body, header('x')],
    ['another body', `${body} `, header('s')],
    ['an old signature', body, header('s', now.getTime() / 1000 - 301)],
    ['a signature of tomorrow', body, header('s', now.getTime() / 1000 + 86_400)],
    ['no signature', body, ''],
    ['half a signature', body, header('s').slice(0, -2)],
    ['no time', body, header('s').replace(/t=\d+/, 't=')],
  ])('with %s is rejected', (_what, raw, signature) => {
    expect(openTiktokEvent(raw, signature, 's', now)).toBeUndefined()
  })
})
