import { hasPassed } from '@flashsheet/contracts/time'
import { mediaLimits } from '@flashsheet/contracts/media/limits'
import { postLimits } from '@flashsheet/contracts/posts/limits'
import { postMessages } from '@flashsheet/contracts/posts/messages'
import type { CreatePostInput, PostVariantInput, VariantOptions } from '@flashsheet/contracts/posts/schema'
import { nextSlot } from '@flashsheet/contracts/queue/limits'
import { networks, type Platform, videoOnlyPlatforms } from '@flashsheet/contracts/networks'
import { videoRefusal, type VideoProperties } from '@flashsheet/contracts/video'
import { invalid } from '../../../core/errors.ts'
import { pageKey } from './slots.ts'

export type Kind = 'image' | 'video'
/** One of the artist's connected pages. */
export type OwnPage = { platform: Platform; accountId: string; pageId: string; name: string }

/** The field of a request that has a post's time: of a new or changed post, or of posting a draft. */
export type TimeField = 'scheduledAt' | 'when'

/** Throws invalid for a field of the request. */
export function refuse(field: 'mediaIds' | 'variants' | TimeField, message: string): never {
  throw invalid(message, { [field]: message })
}

/** Accepts one video, or one to ten images; throws invalid for anything else. */
export function refuseMedia(kinds: readonly Kind[]): void {
  const videos = kinds.filter((kind) => kind === 'video').length
  if (kinds.length === 0) refuse('mediaIds', postMessages.mediaRequired)
  if (videos > 0 && videos < kinds.length) refuse('mediaIds', postMessages.mixedMedia)
  if (videos > 1) refuse('mediaIds', postMessages.oneVideo)
  if (kinds.length > mediaLimits.imagesPerPost) refuse('mediaIds', postMessages.tooManyImages)
}

/** Throws invalid for pages that are not the artist's or given twice, images for video networks, and a video that a network would refuse. */
export function refusePages(
  variants: readonly PostVariantInput[],
  own: readonly OwnPage[],
  kinds: readonly Kind[],
  video: VideoProperties | undefined,
): void {
  if (variants.length === 0) refuse('variants', postMessages.pageRequired)
  const problem = pageProblem(variants, own)
  if (problem !== undefined) refuse('variants', problem)
  if (kinds.includes('image') && variants.some((variant) => videoOnlyPlatforms.includes(variant.platform)))
    refuse('variants', postMessages.videoOnly)
  const [videoProblem] = video ? variants.flatMap((variant) => videoRefusal(variant.platform, video) ?? []) : []
  if (videoProblem !== undefined) refuse('variants', videoProblem)
}

export type NamedPage = Pick<PostVariantInput, 'platform' | 'socialAccountId' | 'pageId'>

/** Why nothing can be posted to these pages: one is not the artist's, or is given twice. */
export function pageProblem(variants: readonly NamedPage[], own: readonly OwnPage[]): string | undefined {
  if (variants.some((variant) => !ownPage(variant, own))) return postMessages.pageUnknown
  return new Set(variants.map(pageKey)).size < variants.length ? postMessages.pageTwice : undefined
}

/** Throws invalid for crops of videos, and for a list of crops that is not as long as the list of media. */
export function refuseCrops(variants: readonly PostVariantInput[], kinds: readonly Kind[]): void {
  for (const { crops } of variants) {
    if (crops && crops.length !== kinds.length) refuse('variants', postMessages.cropsDiffer)
    if (crops?.some((crop, at) => crop && kinds[at] !== 'image')) refuse('variants', postMessages.cropOfVideo)
  }
}

/** The page a variant names, if it is one of the artist's. */
export function ownPage(variant: NamedPage, own: readonly OwnPage[]): OwnPage | undefined {
  const { platform, socialAccountId, pageId } = variant
  return own.find((page) => page.accountId === socialAccountId && page.pageId === pageId && page.platform === platform)
}

/** Options of this variant's own network, or its defaults; other networks' options are ignored. */
export function ownOptions(platform: Platform, options: VariantOptions | undefined): VariantOptions {
  if (!takesOptions(platform)) return {}
  const own = options?.[platform] ?? networks[platform].extraDefaults
  return own ? (Object.fromEntries([[platform, own]]) as VariantOptions) : {}
}

const takesOptions = (platform: Platform): platform is keyof VariantOptions => networks[platform].extras.length > 0

/** Throws invalid for a time in the past, sent as `field`. Up to a minute is allowed and counts as now (`POST /api/posts/schedule`). */
export function refuseTime(scheduledAt: Date, now: Date, field: TimeField = 'scheduledAt'): void {
  if (hasPassed(scheduledAt, now, postLimits.pastGraceSeconds)) refuse(field, postMessages.schedulePast)
}

/** The text whose hash distinguishes two requests with the same request id. */
export function requestText(input: Omit<CreatePostInput, 'requestId'> & { scheduledAt?: string | undefined }): string {
  const variants = input.variants.map((variant) => [
    variant.platform,
    variant.socialAccountId,
    variant.pageId,
    variant.title,
    variant.message,
    ownOptions(variant.platform, variant.options),
    ...(variant.crops?.some(Boolean) ? [variant.crops] : []),
  ])
  // `toGallery` is omitted unless it is set, so that hashes of requests without the field stay the same.
  return JSON.stringify([
    input.mediaIds,
    variants,
    input.scheduledAt === undefined || input.scheduledAt === nextSlot
      ? (input.scheduledAt ?? null)
      : new Date(input.scheduledAt).toISOString(),
    ...(input.toGallery ? ['gallery'] : []),
  ])
}
