import type { Notice, NoticeIds, NoticeKind } from '@flashsheet/contracts/notices'
import type { Tx } from '@flashsheet/db/client'
import { notifyLive } from '@flashsheet/db/live'
import type { System, VerifiedCtx } from '../../core/context.ts'
import { newId } from '../../core/ids.ts'
import type { OwnerId } from '../../core/scope.ts'
import { insertNotice, listNoticeRows, markNoticesRead } from './queries.ts'
import { noticeView } from './view.ts'

const shown = 100

/** What an artist is told: what happened, why, and the one thing to do about it. `link` is a path of the app. */
export type Told = { kind: NoticeKind; dedupeKey: string; title: string; text: string; link: string; action: string }

/** Puts a notice behind the bell in the caller's transaction. False: the artist was told of `dedupeKey` before. */
export async function tellArtist(system: System, tx: Tx, owner: OwnerId, told: Told): Promise<boolean> {
  const id = newId()
  const isNew = await insertNotice(tx, { id, userId: owner, ...told, createdAt: system.now() })
  if (isNew) await notifyLive(tx, { owner, topic: 'notices', id })
  return isNew
}

/** The artist's newest notices. */
export async function listNotices(ctx: VerifiedCtx): Promise<Notice[]> {
  return (await listNoticeRows(ctx.db, ctx.owner, shown)).map(noticeView)
}

/** Marks notices as read; unknown ones and read ones are left alone. */
export async function readNotices(ctx: VerifiedCtx, input: NoticeIds): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await markNoticesRead(tx, ctx.owner, input.ids, ctx.now())
    await notifyLive(tx, { owner: ctx.owner, topic: 'notices' })
  })
}
