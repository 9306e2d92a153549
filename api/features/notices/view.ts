import type { Notice } from '@flashsheet/contracts/notices/schema'
import type { NoticeRow } from './queries.ts'

export function noticeView(row: NoticeRow): Notice {
  return {
    _id: row.id,
    kind: row.kind,
    title: row.title,
    text: row.text,
    link: row.link,
    action: row.action,
    createdAt: row.createdAt.toISOString(),
    readAt: row.readAt?.toISOString() ?? null,
  }
}
