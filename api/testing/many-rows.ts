import type { DbClient } from '@flashsheet/db/client'

/** How many rows stand in each of the tables that grow with everybody's work. */
export type Amounts = { artists: number; items: number; posts: number; mails: number }

/** An id as `newId` makes it at a time, with a number at its end. */
const idOf = (time: string, n: string) =>
  `(regexp_replace(lpad(to_hex((extract(epoch from ${time}) * 1000)::bigint), 12, '0'), '(.{8})(.{4})', '\\1-\\2-7000-8000-') || lpad(to_hex(${n}), 12, '0'))::uuid`

/**
 * Rows as years of work leave them, made by the database itself: posts with two pictures and two targets each, three of four pictures
 * deleted since, nearly all targets final, nearly all mails sent. Everything is older than a day.
 */
export async function insertManyRows(
  { sql }: Pick<DbClient, 'sql'>,
  { artists, items, posts, mails }: Amounts,
): Promise<void> {
  const statements = [
    `insert into users (id, name, email, time_zone, created_at, updated_at)
     select gen_random_uuid(), 'Artist ' || n, 'artist-' || n || '@many.example', 'UTC', now() - interval '2 years', now() from generate_series(1, ${artists}) n`,
    `create temporary table artist as select id, row_number() over (order by id) as n from users where email like '%@many.example'`,
    `insert into media_items (id, user_id, kind, mime_type, file_name, bytes, width, height, sha256, original_key, thumbnail_key, created_at)
     select gen_random_uuid(), a.id, 'image', 'image/jpeg', k || '.jpg', 1, 1, 1, md5(k::text), 'media/' || k || '/original', 'media/' || k || '/thumbnail-1.webp', now() - k * interval '1 minute'
     from generate_series(1, ${items}) k join artist a on a.n = 1 + k % ${artists}`,
    `create temporary table item as select id, user_id, row_number() over (order by id) as n from media_items where original_key like 'media/%/original'`,
    `insert into uploads (id, user_id, file_name, mime_type, bytes, media_id, created_at, finished_at)
     select 'upload-' || n, user_id, n || '.jpg', 'image/jpeg', 1, id, now() - interval '1 day', now() - interval '1 day' from item`,
    `insert into posts (id, user_id, status, scheduled_at, time_zone, request_id, request_hash, created_at, updated_at)
     select gen_random_uuid(), a.id, 'posted', now() - k * interval '1 minute', 'UTC', 'many-' || k, '', now() - interval '1 day', now() - interval '1 day'
     from generate_series(1, ${posts}) k join artist a on a.n = 1 + k % ${artists}`,
    `create temporary table post as select id, user_id, row_number() over (order by id) as n from posts where request_id like 'many-%'`,
    `insert into post_media (post_id, position, media_id, kind, file_name, thumbnail_key)
     select p.id, at, case when p.n % 4 = 0 then i.id end, 'image', 'a.jpg', 'media/old-' || p.n || '/thumbnail-' || at || '.webp'
     from post p cross join generate_series(0, 1) at join item i on i.n = 1 + p.n % ${items}`,
    `insert into post_targets (id, post_id, user_id, platform, page_id, page_name, title, message, options, phase, due_at, posted_at, checkpoint, created_at, updated_at)
     select gen_random_uuid(), p.id, p.user_id, 'instagram', 'page-' || at, 'Page', '', 'Fresh flash, ' || repeat('and a word on how it healed, ', 10), '{"shareToFeed": true, "firstComment": "Books are open"}', 'posted', now() - p.n * interval '1 minute', now() - p.n * interval '1 minute', '{"children": ["17900000000000001", "17900000000000002"], "container": "17900000000000003", "readyAt": "2026-11-23T03:00:00.000Z"}', now() - interval '1 day', now() - interval '1 day'
     from post p cross join generate_series(0, 1) at`,
    `insert into mails (id, "to", subject, text, html, created_at, sent_at)
     select gen_random_uuid(), 'someone@many.example', 'News', '', '', now() - n * interval '1 minute', case when n % 500 <> 0 then now() - n * interval '1 minute' end
     from generate_series(1, ${mails}) n`,
    `insert into publish_attempts (id, target_id, started_at, finished_at, from_phase, to_phase)
     select ${idOf('t.posted_at', 'row_number() over ()')}, t.id, t.posted_at, t.posted_at, 'scheduled', 'posted' from post_targets t where t.page_name = 'Page' and t.posted_at is not null`,
    `insert into notices (id, user_id, kind, dedupe_key, title, text, link, action, created_at, read_at)
     select ${idOf("now() - p.n * interval '1 minute'", 'p.n')}, p.user_id, 'post_posted', 'many-' || p.n, 'Your post is out', '', '/', '', now() - p.n * interval '1 minute', now() from post p`,
    'drop table artist, item, post',
  ]
  await sql.begin(async (one) => {
    for (const statement of statements) await one.unsafe(statement)
  })
  await sql.unsafe('analyze')
}
