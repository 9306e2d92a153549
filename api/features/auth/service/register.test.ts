import { authMessages } from '@flashsheet/contracts/auth/messages'
import { linkRequests, linkTokens, users } from '@flashsheet/db/schema/auth'
import { mails } from '@flashsheet/db/schema/outbox'
import { eq, inArray } from 'drizzle-orm'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createArtist } from '../../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { mailTo } from '../../../testing/sandbox.ts'

const fresh = () => `${randomUUID()}@studio.example`
const tokenIn = (text: string) => new URL(/http\S+/.exec(text)?.[0] ?? '').searchParams.get('token') ?? ''

describe('registering and verifying', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(async () => await app.stop())

  const registered = async (email: string, password = 'a password') =>
    await app.visitor().post('/api/users', { name: 'New One', email, password, timeZone: 'Europe/Berlin' })
  const linkFor = async (email: string) =>
    tokenIn((await mailTo(app, email, /Verify/)).links.find((link) => link.includes('/verify-email')) ?? '')

  test('rejects each missing or invalid field with its message', async () => {
    const answer = await app.visitor().post('/api/users', { email: 'not an address', password: 'short' })
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({
      message: authMessages.nameRequired,
      fields: {
        name: authMessages.nameRequired,
        email: authMessages.emailInvalid,
        password: authMessages.passwordTooShort,
      },
    })
  })

  test('a taken address is answered like a free one, changes nothing, and its owner is notified', async () => {
    const artist = await createArtist(app)
    const free = await registered(fresh())
    const taken = await registered(artist.email, 'of somebody else')
    expect(free).toMatchObject({ status: 201, body: { message: authMessages.registered } })
    expect({ status: taken.status, body: taken.body }).toEqual({ status: free.status, body: free.body })
    const mail = await mailTo(app, artist.email)
    expect(mail.subject).toMatch(/already have/)
    expect(mail.links.some((link) => link.includes('token='))).toBe(false)
    // A second registration logs in like any unverified user, and has no access to the account.
    const beside = await app
      .visitor()
      .post<{ _id: string }>('/api/users/auth', { email: artist.email, password: 'of somebody else' })
    expect(beside).toMatchObject({ status: 200, body: { name: 'New One', isEmailVerified: false } })
    expect(beside.body._id).not.toBe(artist.id)
    expect(
      await app.visitor().post('/api/users/auth', { email: artist.email, password: artist.password }),
    ).toMatchObject({ status: 200, body: { _id: artist.id, isEmailVerified: true } })
  })

  test('a verification link opens one session, once, within a day', async () => {
    const email = fresh()
    await registered(email)
    const token = await linkFor(email)
    const [row] = await app.client.db
      .select()
      .from(linkTokens)
      .innerJoin(users, eq(users.id, linkTokens.userId))
      .where(eq(users.email, email))
    expect(row?.link_tokens.hash).not.toContain(token)
    const wrong = await app.visitor().post('/api/users/verify-email', { token: `${token.slice(0, -1)}-` })
    expect(wrong).toMatchObject({
      status: 400,
      body: { message: authMessages.verifyLinkInvalid, fields: { token: authMessages.verifyLinkInvalid } },
    })
    // A mail scanner that opens the page does not use the link.
    await app.visitor().get(`/verify-email?token=${token}`)
    const visitor = app.visitor()
    expect(await visitor.post('/api/users/verify-email', { token })).toMatchObject({
      status: 200,
      body: { email, isEmailVerified: true },
    })
    expect(await visitor.trpc.auth.me.query()).toMatchObject({ email, isEmailVerified: true })
    expect((await app.visitor().post('/api/users/verify-email', { token })).status).toBe(400)

    const late = fresh()
    await registered(late)
    const old = await linkFor(late)
    await app.client.db
      .update(linkTokens)
      .set({ expiresAt: new Date(app.clock.now().getTime() - 1000) })
      .where(eq(linkTokens.email, late))
    expect((await app.visitor().post('/api/users/verify-email', { token: old })).status).toBe(400)
  })

  test.each([
    ['to a former address', { email: fresh() }, 400],
    ['of a verified user', { emailVerifiedAt: new Date() }, 400],
    ['of a deactivated user', { isActive: false }, 403],
  ])('a verification link %s is refused', async (_which, change, status) => {
    const email = fresh()
    await registered(email)
    const token = await linkFor(email)
    await app.client.db.update(users).set(change).where(eq(users.email, email))
    expect((await app.visitor().post('/api/users/verify-email', { token })).status).toBe(status)
  })

  test('a verification link is refused once staff have given its address to an account', async () => {
    const [email, account] = [fresh(), await createArtist(app)]
    await registered(email)
    const token = await linkFor(email)
    await app.client.db.update(users).set({ email, emailVerifiedAt: null }).where(eq(users.id, account.id))
    expect((await app.visitor().post('/api/users/verify-email', { token })).status).toBe(400)
  })

  test('another link goes to an unverified address only', async () => {
    const email = fresh()
    await registered(email)
    const first = await linkFor(email)
    expect(await app.visitor().post('/api/users/resend-verification', { email })).toMatchObject({
      status: 200,
      body: { message: authMessages.verificationSent },
    })
    await expect.poll(async () => await linkFor(email), { timeout: 10_000 }).not.toBe(first)
    expect((await app.visitor().post('/api/users/verify-email', { token: await linkFor(email) })).status).toBe(200)
    // The reset is mailed after the resend, so the resend is processed by then.
    await app.visitor().post('/api/users/resend-verification', { email })
    await app.visitor().post('/api/users/forgot-password', { email })
    await mailTo(app, email, /Reset/)
    await expect
      .poll(async () => await app.client.db.select().from(linkRequests).where(eq(linkRequests.email, email)))
      .toEqual([])
    const sent = await app.client.db.select({ subject: mails.subject }).from(mails).where(eq(mails.to, email))
    expect(sent.filter((mail) => /Verify/.test(mail.subject))).toHaveLength(2)
  })
})

describe('the six digits beside the link', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp({ env: { RATE_LIMITS: 'on' } })
  })
  afterAll(async () => await app.stop())

  test('a code counts only in the browser that registered, once, and after five guesses no more', async () => {
    const codeFor = async (email: string) => /Code: (\d{6})/.exec((await mailTo(app, email, /Verify/)).text)?.[1] ?? ''
    const begin = async () => {
      const email = fresh()
      const visitor = app.visitor()
      await visitor.post('/api/users', { name: 'New One', email, password: 'a password' })
      return { email, visitor, code: await codeFor(email) }
    }
    const { email, visitor, code } = await begin()
    const wrong = code === '000000' ? '000001' : '000000'
    await expect(visitor.trpc.auth.confirmCode.mutate({ email, code: '12345' })).rejects.toThrow(
      authMessages.codeRequired,
    )
    await expect(app.visitor().trpc.auth.confirmCode.mutate({ email, code })).rejects.toThrow(authMessages.codeWrong)
    for (let guess = 0; guess < 4; guess += 1)
      await expect(visitor.trpc.auth.confirmCode.mutate({ email, code: wrong })).rejects.toThrow(authMessages.codeWrong)
    expect(await visitor.trpc.auth.confirmCode.mutate({ email, code })).toMatchObject({ email, isEmailVerified: true })
    await expect(visitor.trpc.auth.confirmCode.mutate({ email, code })).rejects.toThrow(authMessages.codeWrong)

    const other = await begin()
    const bad = other.code === '000000' ? '000001' : '000000'
    for (let guess = 0; guess < 5; guess += 1)
      await expect(other.visitor.trpc.auth.confirmCode.mutate({ email: other.email, code: bad })).rejects.toThrow(
        authMessages.codeWrong,
      )
    await expect(other.visitor.trpc.auth.confirmCode.mutate({ email: other.email, code: other.code })).rejects.toThrow(
      authMessages.codeOver,
    )
    const token = tokenIn(
      (await mailTo(app, other.email, /Verify/)).links.find((link) => link.includes('token=')) ?? '',
    )
    expect((await other.visitor.post('/api/users/verify-email', { token })).status).toBe(200)
  })
})

describe('nothing reveals whether an address has an account', () => {
  let app: TestApp
  beforeAll(async () => {
    // Without a worker the tables hold only the rows that the request itself wrote.
    app = await startTestApp({ role: 'web' })
  })
  afterAll(async () => await app.stop())

  const writtenFor = async (email: string) => {
    const { db } = app.client
    const requests = await db
      .select({ purpose: linkRequests.purpose })
      .from(linkRequests)
      .where(eq(linkRequests.email, email))
    const tokens = await db.select().from(linkTokens).where(eq(linkTokens.email, email))
    const sent = await db
      .select()
      .from(mails)
      .where(inArray(mails.to, [email]))
    return { requests: requests.map((request) => request.purpose), tokens: tokens.length, mails: sent.length }
  }

  test.each([
    ['register', '/api/users', { name: 'X', password: 'a password' }, 'register'],
    ['forgot', '/api/users/forgot-password', {}, 'reset_password'],
    ['resend', '/api/users/resend-verification', {}, 'verify_email'],
  ] as const)('%s writes the same for every address, and looks none up', async (_name, path, body, purpose) => {
    const verified = (await createArtist(app)).email
    const unverified = (await createArtist(app, { verified: false })).email
    const answers = []
    for (const email of [fresh(), verified, unverified]) {
      const { status, body: answer } = await app.visitor().post(path, { ...body, email })
      answers.push({ status, answer, ...(await writtenFor(email)) })
    }
    expect(answers[0]).toMatchObject({ requests: [purpose], tokens: 0, mails: 0 })
    expect(answers[1]).toEqual(answers[0])
    expect(answers[2]).toEqual(answers[0])
  })
})
