import { planIds } from '@flashsheet/contracts/plans'
import { enumCheckName } from '@flashsheet/db/schema/enum-checks'
import { getTableColumns, getTableName, is } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import * as fs from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, sqlState, type DbClient } from '../db/client.ts'
import { cloneDatabase } from './testing/database.ts'

let database: Awaited<ReturnType<typeof cloneDatabase>>
let client: DbClient
beforeAll(async () => {
  database = await cloneDatabase()
  client = connect(database.url, 1)
})
afterAll(async () => {
  await client?.close()
  await database?.drop()
})

/** Text written by people, networks or Stripe, or generated, for which no complete list of values exists. */
const freeText: Record<string, string> = {
  api_keys: 'hash name prefix',
  appointment_links: 'hash',
  assistant_clients: 'name',
  assistant_codes: 'challenge client_id client_name hash redirect_uri',
  assistant_grants: 'client_id host name',
  assistant_tokens: 'hash',
  appointments: 'client_name domain_name email notes phone request_hash request_id time_zone',
  audit_entries: 'email_from email_to',
  billing_mails: 'key',
  blocked_days: 'reason',
  checkout_requests: 'idempotency_key request_hash',
  deleted_posts: 'request_id',
  deletion_requests: 'code key',
  disconnected_places: 'page_id',
  former_site_names: 'domain_name',
  form_requests: 'made request_hash request_id',
  gallery_items: 'alt_text token',
  leases: 'key',
  link_requests: 'email',
  link_tokens: 'email hash',
  login_turns: 'id',
  mails: 'about calendar html reply_to subject text to',
  media_fetches: 'message request_id url',
  media_items: 'display_key file_name original_key sha256 thumbnail_key',
  mrr_movements: 'stripe_subscription_id',
  notices: 'action dedupe_key link text title',
  oauth_states: 'code_verifier hash session_id',
  post_drafts: 'request_hash request_id title',
  post_media: 'file_name thumbnail_key',
  post_targets:
    'error_message message page_id page_name page_url permalink quota_bucket remote_id tiktok_publish_id title',
  posts: 'error_message request_hash request_id time_zone',
  publish_attempts: 'error_code error_message',
  queue_places: 'page_id',
  queues: 'time_zone',
  quota_buckets: 'id',
  quota_uses: 'bucket_id',
  rate_limits: 'key',
  registrations: 'browser user_agent',
  sessions: 'id user_agent',
  sign_in_states: 'browser code_verifier hash nonce time_zone',
  site_images: 'file_name id',
  sites:
    'about background_color background_image_id button_color city domain_name email hover_color logo_image_id name phone profile_image_id shop_address shop_name state text_color zip',
  social_accounts: 'access_token app_user_id provider_name provider_user_id refresh_token scopes username',
  social_pages: 'access_token name page_id picture_file picture_source username',
  stripe_events: 'id type',
  unnamed_files: 'key',
  subscription_orders: 'stripe_customer_id stripe_object_id',
  subscriptions: 'stripe_customer_id stripe_subscription_id',
  // The type that an upload declares is checked when its bytes have arrived.
  uploads: 'file_name id mime_type poster_key refusal',
  user_identities: 'email subject',
  webhook_attempts: 'answer error',
  webhook_endpoints: 'description request_hash request_id url',
  webhook_events: 'body',
  webhook_secrets: 'secret',
  users: 'email name password_hash pending_email stripe_customer_id time_zone',
}

/** The values that TypeScript allows, by column. */
async function schemaEnums(): Promise<Map<string, readonly string[]>> {
  const words = new Map<string, readonly string[]>()
  for (const file of fs.readdirSync(new URL('../db/schema', import.meta.url))) {
    const module = (await import(new URL(`../db/schema/${file}`, import.meta.url).href)) as Record<string, unknown>
    for (const table of Object.values(module)) {
      if (!is(table, PgTable)) continue
      for (const column of Object.values(getTableColumns(table)))
        if (column.enumValues?.length) words.set(`${getTableName(table)}.${column.name}`, column.enumValues)
    }
  }
  return words
}

/** Sentences about text columns that are not free text and whose values the database does not check. */
async function constraintProblems(): Promise<string[]> {
  const rows = await client.sql<
    { table: string; column: string; definition: string | null; validated: boolean | null; named: string | null }[]
  >`
    select c.relname as table, a.attname as column, pg_get_constraintdef(k.oid) as definition, k.convalidated as validated, k.conname as named
    from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_constraint k on k.conrelid = c.oid and k.contype = 'c' and k.conname = c.relname || '_' || a.attname || '_words'
    where n.nspname = 'public' and c.relkind in ('r', 'p') and a.atttypid in ('text'::regtype, 'varchar'::regtype, 'bpchar'::regtype) order by 1, 2`
  const wordsByColumn = await schemaEnums()
  return rows.flatMap(({ table, column, definition, validated, named }) => {
    const place = `${table}.${column}`
    const words = wordsByColumn.get(place)
    const isFree = freeText[table]?.split(' ').includes(column) ?? false
    if (!words) return isFree ? [] : `${place} has no closed set of words and is not listed as free text`
    if (isFree) return `${place} has a closed set of words and is listed as free text`
    if (definition === null) return `${place} takes any word`
    if (!validated || named !== enumCheckName(table, column)) return `${place} was never validated`
    const taken = [...definition.matchAll(/'((?:[^']|'')*)'::text/g)].map(([, word = '']) => word.replaceAll("''", "'"))
    return taken.toSorted().join() === words.toSorted().join()
      ? []
      : `${place} takes ${taken.join(', ')} and should take ${words.join(', ')}`
  })
}

test('each text column accepts exactly the values of its TypeScript enum, or is listed as free text', async () => {
  expect(await constraintProblems()).toEqual([])
})

test('detects a new column, a new value, and a missing or unvalidated constraint', async () => {
  await client.sql`alter table posts add column mood text`
  await client.sql`alter table notices drop constraint notices_kind_words`
  await client.sql`alter table subscriptions drop constraint subscriptions_plan_words, add constraint subscriptions_plan_words check (plan in ('complete-shading', 'gold'))`
  await client.sql`alter table uploads drop constraint uploads_source_words, add constraint uploads_source_words check (source in ('tus', 'form')) not valid`
  expect(await constraintProblems()).toEqual([
    'notices.kind takes any word',
    'posts.mood has no closed set of words and is not listed as free text',
    `subscriptions.plan takes complete-shading, gold and should take ${planIds.join(', ')}`,
    'uploads.source was never validated',
  ])
})

test.each([
  ['a currency', 'subscription_orders', { plan: 'complete-shading', currency: 'eur' }],
  ['a plan', 'subscription_orders', { plan: 'gold', currency: 'usd' }],
])('refuses an unknown value: %s', async (_what, table, { plan, currency }) => {
  const refused =
    client.sql`insert into ${client.sql(table)} (id, stripe_object_id, plan, action, status, currency, created_at)
    values (gen_random_uuid(), 'in_1', ${plan}, 'renewed', 'active', ${currency}, now())`.then(() => 'taken', sqlState)
  expect(await refused).toBe('23514')
})

test('refuses an unknown phase', async () => {
  const insert = async (phase: string) =>
    await client.sql
      .begin(async (tx) => {
        // Disables foreign keys, so that neither the post nor its artist has to exist.
        await tx`set local session_replication_role = replica`
        await tx`insert into post_targets (id, post_id, user_id, platform, page_id, page_name, title, message, options, phase, due_at, checkpoint, created_at, updated_at)
          select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'facebook', '1', '', '', '', '{}', ${phase}, now(), '{}', now(), now()`
      })
      .then(() => 'taken', sqlState)
  expect([await insert('sceduled'), await insert('scheduled')]).toEqual(['23514', 'taken'])
})
