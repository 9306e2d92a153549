import type { MediaItem } from '@flashsheet/contracts/media/schema'
import type { MediaRow } from './queries/items.ts'

export function mediaItemView(row: MediaRow): MediaItem {
  return {
    _id: row.id,
    type: row.kind,
    url: `/files/media/${row.id}/${row.kind === 'image' ? 'display' : 'original'}`,
    thumbnailUrl: thumbnailUrl(row),
    fileName: row.fileName,
    name: row.fileName,
    mimeType: row.mimeType,
    size: row.bytes,
    createdAt: row.createdAt.toISOString(),
    dimensions: { width: row.width, height: row.height },
    duration: row.durationMs === null ? null : row.durationMs / 1000,
    encoding: row.videoFacts && {
      codec: row.videoFacts.codec,
      audioCodec: row.videoFacts.audioCodec,
      fps: row.videoFacts.fps,
    },
  }
}

/** Contains a version of the picture, so that it may be cached forever. */
function thumbnailUrl(row: MediaRow): string {
  const version = /thumbnail-([0-9a-f]+)\.webp$/.exec(row.thumbnailKey)?.[1] ?? '0'
  return `/files/media/${row.id}/thumbnail?v=${version}`
}
