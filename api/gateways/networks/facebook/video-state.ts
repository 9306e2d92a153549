import type { ConfirmResult, PublishJob } from '../adapter.ts'
import { isObjectMissing } from '../meta-errors.ts'
import { record, textOf, unlessRefused } from '../refusal.ts'
import { address, type Graph } from './graph.ts'

const draftMessage = 'Facebook kept this video as a draft. Open the page in Facebook and share it from there.'

/** A video's state, from its three phases. */
type VideoState =
  | { kind: 'uploading'; bytes: number }
  | { kind: 'uploaded' | 'processing' | 'draft' | 'expired' | 'gone' }
  | { kind: 'published'; permalink: string | null }
  | { kind: 'error'; message: string }

/**
 * The confirmation from a video's state. Its id was known before it could be public, so every read is conclusive.
 * `permalink` is used when Facebook returns none.
 */
export function confirmedBy(state: VideoState, remoteId: string, permalink: string | null): ConfirmResult {
  switch (state.kind) {
    case 'published':
      return { state: 'posted', remoteId, permalink: state.permalink ?? permalink }
    case 'error':
      return {
        state: 'failed',
        code: 'processing_failed',
        message: `Facebook could not use this video: ${state.message}`,
        retryable: false,
      }
    case 'expired':
      return { state: 'absent', evidence: 'proof', idsLapsed: true }
    case 'draft':
      return { state: 'failed', code: 'draft', message: draftMessage, retryable: false, leftBehind: 'draft' }
    // All bytes are there, so `finish` most likely never arrived. Repeating it changes nothing for a public video.
    case 'uploading':
    case 'uploaded':
      return { state: 'absent', evidence: 'inconclusive', mayRepeat: true }
    case 'gone':
      return { state: 'absent', evidence: 'inconclusive', mayRepeat: false }
    case 'processing':
      return { state: 'working' }
  }
}

export async function readVideo(graph: Graph, job: PublishJob, id: string): Promise<VideoState> {
  const asked = graph.read(job, id, { fields: 'status,permalink_url,published' })
  // For a video this error means that it does not exist, or not yet, not that the access is lost.
  const video = await unlessRefused(asked, isObjectMissing)
  return video ? videoState(video) : { kind: 'gone' }
}

function videoState(video: Record<string, unknown>): VideoState {
  const status = record(video['status'])
  const uploading = record(status?.['uploading_phase'])
  const processing = record(status?.['processing_phase'])
  const publishing = record(status?.['publishing_phase'])
  const overall = textOf(status?.['video_status'])
  const publishStatus = textOf(publishing?.['publish_status'])
  if (publishStatus === 'published' && (publishing?.['status'] === 'complete' || video['published'] === true)) {
    return { kind: 'published', permalink: address(video['permalink_url']) }
  }
  if (overall === 'expired' || overall === 'upload_failed') return { kind: 'expired' }
  if (overall === 'error' || processing?.['status'] === 'error' || publishStatus === 'error') {
    return { kind: 'error', message: textOf(record(processing?.['error'])?.['message']) || 'its processing failed.' }
  }
  if (overall === 'uploading' && uploading?.['status'] !== 'complete')
    return { kind: 'uploading', bytes: Number(uploading?.['bytes_transfered'] ?? 0) }
  if (overall === 'ready' && publishStatus === 'draft') return { kind: 'draft' }
  if (overall === 'upload_complete' || overall === 'uploading') return { kind: 'uploaded' }
  return { kind: 'processing' }
}
