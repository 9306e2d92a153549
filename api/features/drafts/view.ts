import type { Draft } from '@flashsheet/contracts/drafts/schema'
import type { DraftRow } from './queries.ts'

export function draftView(row: DraftRow): Draft {
  return {
    _id: row.id,
    version: row.version,
    title: row.title,
    mediaIds: row.mediaIds,
    variants: row.variants,
    scheduledAt: row.scheduledAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}
