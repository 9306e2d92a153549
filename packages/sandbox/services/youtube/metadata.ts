import { isRecord } from '../../request-body.ts'
import type { Refusal } from '../../refusal.ts'
import { refuse } from './answers.ts'
import type { Metadata } from './state.ts'

const categories = new Set(['1', '2', '10', '15', '17', '19', '20', '22', '23', '24', '25', '26', '27', '28', '29'])

function problem(reason: string, message: string): Refusal {
  return refuse(400, reason, message, 'youtube.video')
}

/**
 * The length of tags includes their separators; a tag with a space is quoted, which counts two more
 * (docs/networks/youtube.md).
 */
function tagLength(tags: readonly string[]): number {
  return tags.reduce((sum, tag) => sum + tag.length + (tag.includes(' ') ? 2 : 0), 0) + Math.max(0, tags.length - 1)
}

/** Parses the body of `videos.insert`; throws a 400. `parts` is the `part` parameter of the request. */
export function readMetadata(body: unknown, parts: readonly string[]): Metadata {
  if (!isRecord(body)) throw problem('invalidVideoMetadata', 'The request metadata is invalid.')
  for (const name of ['snippet', 'status']) {
    if (body[name] !== undefined && !parts.includes(name)) throw problem('unexpectedPart', `'${name}'`)
  }
  const snippet = body['snippet'] ?? {}
  const status = body['status'] ?? {}
  if (!isRecord(snippet) || !isRecord(status)) throw problem('invalidVideoMetadata', 'The request metadata is invalid.')
  const { title, description = '', tags = [], categoryId = '22' } = snippet
  const invalidCharacters = /[<>]/
  if (typeof title !== 'string' || !title.trim() || title.length > 100 || invalidCharacters.test(title)) {
    throw problem('invalidTitle', 'The request metadata specifies an invalid or empty video title.')
  }
  if (typeof description !== 'string' || Buffer.byteLength(description) > 5000 || invalidCharacters.test(description)) {
    throw problem('invalidDescription', 'The request metadata specifies an invalid video description.')
  }
  const areTexts = Array.isArray(tags) && tags.every((tag): tag is string => typeof tag === 'string')
  if (!areTexts || tagLength(tags) > 500 || tags.some((tag) => invalidCharacters.test(tag))) {
    throw problem('invalidTags', 'The request metadata specifies invalid video keywords.')
  }
  if (typeof categoryId !== 'string' || !categories.has(categoryId)) {
    throw problem('invalidCategoryId', 'The snippet.categoryId property specifies an invalid category ID.')
  }
  const {
    privacyStatus = 'public',
    publishAt = '',
    selfDeclaredMadeForKids = false,
    containsSyntheticMedia = false,
  } = status
  const isKnownPrivacy = typeof privacyStatus === 'string' && ['public', 'unlisted', 'private'].includes(privacyStatus)
  if (!isKnownPrivacy || typeof selfDeclaredMadeForKids !== 'boolean' || typeof containsSyntheticMedia !== 'boolean') {
    throw problem('invalidVideoMetadata', 'The request metadata is invalid.')
  }
  if (
    publishAt !== '' &&
    (typeof publishAt !== 'string' || privacyStatus !== 'private' || Number.isNaN(Date.parse(publishAt)))
  ) {
    throw problem('invalidPublishAt', 'The request metadata specifies an invalid scheduled publishing time.')
  }
  return {
    title,
    description,
    tags,
    categoryId,
    privacyStatus,
    publishAt: String(publishAt),
    madeForKids: selfDeclaredMadeForKids,
  }
}
