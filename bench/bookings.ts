import { connect, type DbClient } from '@flashsheet/db/client'
import { users } from '@flashsheet/db/schema/auth'
import { subscriptions } from '@flashsheet/db/schema/subscription'
import type { RequestCtx } from '../api/core/context.ts'
import { newId } from '../api/core/ids.ts'
import { publicSiteScope } from '../api/core/scope.ts'
import { listBookedSlots } from '../api/features/appointments/service/free-slots.ts'
import { monthOf } from '../api/features/appointments/service/site-form.ts'
import { median, withPostgres } from './with-product.ts'

const sizes = [1000, 100_000]
const rounds = 400
const now = new Date('2026-11-21T12:00:00Z')
const domainName = 'bench-ink'

/**
 * The cost of a visitor's two requests (the booked hours of a day, the free days of a month) against the bare SQL
 * statements that they need (site and plan, hours, blocked times), for an artist with 1,000 and 100,000 appointments.
 */
export async function run(): Promise<void> {
  await withPostgres(async (url) => {
    const client = connect(url, 1)
    const artist = await makeArtist(client)
    const ctx = { db: client.db, now: () => now } as unknown as RequestCtx
    let appointmentCount = 0
    for (const size of sizes) {
      await addAppointments(client, artist, appointmentCount, size)
      appointmentCount = size
      // A day and a month in the middle of the data, the same for both sizes.
      const day = async () => void (await listBookedSlots(ctx, { domainName, date: '2027-01-05' }))
      const month = async () =>
        void (await monthOf(ctx, publicSiteScope(artist), { type: '1 Hour Booking', month: '2027-01' }))
      const bareDay = async () => {
        await site(client)
        await hoursOf(client, artist)
        await blockedTimes(client, artist, '2027-01-05T05:00:00Z', '2027-01-06T09:00:00Z')
      }
      const bareMonth = async () => {
        await hoursOf(client, artist)
        await blockedTimes(client, artist, '2027-01-01T05:00:00Z', '2027-02-01T09:00:00Z')
      }
      console.log(`${size.toLocaleString('en-US')} appointments, median of ${rounds} calls`)
      report('booked hours of a day', await measure(day, bareDay))
      report('free days of a month', await measure(month, bareMonth))
    }
    await client.close()
  })
}

async function makeArtist(client: DbClient): Promise<string> {
  const id = newId()
  await client.db.insert(users).values({
    id,
    name: 'Bench',
    email: 'bench@studio.example',
    timeZone: 'America/New_York',
    createdAt: now,
    updatedAt: now,
  })
  await client.db.insert(subscriptions).values({
    id: newId(),
    userId: id,
    stripeSubscriptionId: 'sub_bench',
    stripeCustomerId: 'cus_bench',
    plan: 'complete-shading',
    status: 'active',
    createdAt: now,
    updatedAt: now,
  })
  await client.sql`insert into sites (user_id, domain_name, published, name, shop_name, about, email, phone, shop_address, city, state, zip, background_color, text_color, button_color, hover_color, created_at, updated_at)
    values (${id}, ${domainName}, true, 'Bench', '', '', '', '', '', '', '', '', '#000000', '#ffffff', '#ff0000', '#8b0000', ${now.toISOString()}, ${now.toISOString()})`
  return id
}

/** Inserts appointments `from` to `to`: six a day, every second hour, from the first of December on. */
async function addAppointments(client: DbClient, artist: string, from: number, to: number): Promise<void> {
  await client.sql`insert into appointments (id, user_id, domain_name, booking_type, time_slot, status, starts_at, ends_at, free_at, time_zone, client_name, email, phone, notes, made_by, created_at, updated_at)
    select gen_random_uuid(), ${artist}, ${domainName}, '1 Hour Booking', '9:00am-10:00am', 'confirmed', at, at + interval '1 hour', at + interval '1 hour', 'America/New_York', 'Ida', 'ida@home.example', '', '', 'artist', now(), now()
    from (select (date '2026-12-01' + n / 6)::timestamp at time zone 'America/New_York' + make_interval(hours => 9 + 2 * (n % 6)) as at from generate_series(${from}::int, ${to - 1}::int) n) slots`
  await client.sql`analyze appointments`
}

const site = async (client: DbClient) =>
  await client.sql`select s.*, u.is_active, c.plan, c.status from sites s join users u on u.id = s.user_id
    left join lateral (select plan, status from subscriptions where user_id = s.user_id order by created_at desc limit 1) c on true where s.domain_name = ${domainName}`
const hoursOf = async (client: DbClient, artist: string) =>
  await client.sql`select u.time_zone, u.name, h.*, coalesce((select json_agg(b) from blocked_days b where b.user_id = u.id), '[]') as blocks
    from users u left join booking_hours h on h.user_id = u.id where u.id = ${artist}`
const blockedTimes = async (client: DbClient, artist: string, from: string, to: string) =>
  await client.sql`select starts_at, free_at from appointments where user_id = ${artist} and status in ('pending', 'confirmed') and not set_aside
    and busy && tstzrange(${from}::timestamptz, ${to}::timestamptz, '[)')`

type Figures = { ours: number; bare: number }

/** Alternates both, so that other load affects both; the first round is a warm-up. */
async function measure(ours: () => Promise<void>, bare: () => Promise<unknown>): Promise<Figures> {
  const times: { ours: number[]; bare: number[] } = { ours: [], bare: [] }
  for (let round = -20; round < rounds; round++) {
    for (const [name, call] of [
      ['bare', bare],
      ['ours', ours],
    ] as const) {
      const startedAt = performance.now()
      await call()
      if (round >= 0) times[name].push(performance.now() - startedAt)
    }
  }
  return { ours: median(times.ours), bare: median(times.bare) }
}

function report(name: string, { ours, bare }: Figures): void {
  console.log(
    `  ${name.padEnd(22)} ${ours.toFixed(2)} ms, bare SQL ${bare.toFixed(2)} ms, ratio ${(bare / ours).toFixed(2)} (aim: at least 0.70)`,
  )
}
