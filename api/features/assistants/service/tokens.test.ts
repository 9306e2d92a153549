import { assistantLimits } from '@flashsheet/contracts/assistants/limits'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sha256 } from '../../../core/crypto.ts'
import { newId } from '../../../core/ids.ts'
import { createArtist, type Artist } from '../../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../../testing/app.ts'
import { lockWaits } from '../../../testing/lock-waits.ts'
import { listTools, registerProgram } from '../../../testing/oauth-assistant.ts'
import { eventually } from '../../../testing/sandbox.ts'

type Program = Awaited<ReturnType<typeof registerProgram>>
let app: TestApp
let artist: Artist
beforeAll(async () => {
  app = await startTestApp({ role: 'web' })
  artist = await createArtist(app)
})
afterAll(async () => await app.stop())

describe('a refresh token', () => {
  test('works once: a second use ends the connection, with the tokens that followed', async () => {
    const own = await createArtist(app)
    const program = await registerProgram(app.visitor())
    const { body: first } = await program.exchange(await program.consent(own))
    const { body: second } = await program.refresh(first['refresh_token'] ?? '')
    app.clock.advance((assistantLimits.refreshAgainSeconds + 1) * 1000)
    expect((await listTools(app, second['access_token'] ?? '')).status).toBe(200)
    expect(await program.refresh(first['refresh_token'] ?? '')).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    })
    expect((await listTools(app, second['access_token'] ?? '')).status).toBe(401)
    expect((await program.refresh(second['refresh_token'] ?? '')).status).toBe(400)
    expect(await own.trpc.assistants.list.query()).toEqual([])
  })

  test('works again right after its use, for a lost answer or two concurrent processes', async () => {
    const own = await createArtist(app)
    const program = await registerProgram(app.visitor())
    const { body: first } = await program.exchange(await program.consent(own))
    const token = first['refresh_token'] ?? ''
    const answers = await Promise.all([program.refresh(token), program.refresh(token)])
    expect(answers.map((answer) => answer.status)).toEqual([200, 200])
    for (const { body } of answers) expect((await listTools(app, body['access_token'] ?? '')).status).toBe(200)
    // The time counts from the first use.
    app.clock.advance((assistantLimits.refreshAgainSeconds - 5) * 1000)
    expect((await program.refresh(token)).status).toBe(200)
    app.clock.advance(10_000)
    expect((await program.refresh(token)).status).toBe(400)
    expect(await own.trpc.assistants.list.query()).toEqual([])
  })

  const listGrants = async (own: Artist) => await own.trpc.assistants.list.query()
  test.each<[string, (own: Artist, program: Program, used: string) => Promise<unknown>, unknown]>([
    ['its copy is used', async (_own, program, used) => (await program.refresh(used)).status, 400],
    ['the program revokes it', async (_own, program, used) => (await program.revoke(used)).status, 200],
    [
      'the artist disconnects it',
      async (own) => await own.trpc.assistants.disconnect.mutate({ id: (await listGrants(own))[0]?._id ?? '' }),
      { deleted: true },
    ],
  ])('that is used while %s does not prevent that the connection ends', async (_name, end, answer) => {
    const own = await createArtist(app)
    const program = await registerProgram(app.visitor())
    const { body: first } = await program.exchange(await program.consent(own))
    const { body: second } = await program.refresh(first['refresh_token'] ?? '')
    app.clock.advance((assistantLimits.refreshAgainSeconds + 1) * 1000)
    const sent = await app.client.sql.begin(async (sql) => {
      // As the use of the newer token, which locks the token and then its connection. Only the other transaction looks for
      // deadlocks, so it is the one that is aborted.
      await sql`set local deadlock_timeout = '20s'`
      const [token] = await sql<{ grant_id: string }[]>`
        select grant_id from assistant_tokens where hash = ${sha256(second['refresh_token'] ?? '')} for update`
      const ended = end(own, program, first['refresh_token'] ?? '')
      await eventually('the other to wait', async () => (await lockWaits(app.client)) > 0)
      await sql`select 1 from assistant_grants where id = ${token?.grant_id ?? ''} for update`
      return { ended }
    })
    expect(await sent.ended).toEqual(answer)
    expect(await listGrants(own)).toEqual([])
  })

  test('does not work for another program, and still works for its own', async () => {
    const program = await registerProgram(app.visitor())
    const { body } = await program.exchange(await program.consent(artist))
    expect((await program.refresh(body['refresh_token'] ?? '', { client_id: newId() })).status).toBe(400)
    expect((await program.refresh(body['refresh_token'] ?? '')).status).toBe(200)
  })

  test('is revoked together with the access token', async () => {
    const program = await registerProgram(app.visitor())
    const { body } = await program.exchange(await program.consent(artist))
    expect((await program.revoke('fsr_unknown')).status).toBe(200)
    expect((await program.revoke(body['refresh_token'] ?? '')).status).toBe(200)
    expect((await listTools(app, body['access_token'] ?? '')).status).toBe(401)
  })

  test('is not revoked by another program', async () => {
    const [program, other] = [await registerProgram(app.visitor()), await registerProgram(app.visitor())]
    const { body } = await program.exchange(await program.consent(artist))
    expect((await other.revoke(body['refresh_token'] ?? '')).status).toBe(200)
    expect((await listTools(app, body['access_token'] ?? '')).status).toBe(200)
  })

  test('is no access token, and expires', async () => {
    const program = await registerProgram(app.visitor())
    const { body } = await program.exchange(await program.consent(artist))
    const refused = { status: 400, body: { error: 'invalid_grant' } }
    expect(await program.refresh(body['access_token'] ?? '')).toMatchObject(refused)
    expect((await listTools(app, body['refresh_token'] ?? '')).status).toBe(401)
    app.clock.advance(assistantLimits.refreshDays * 86_400_000)
    expect(await program.refresh(body['refresh_token'] ?? '')).toMatchObject(refused)
  })
})
