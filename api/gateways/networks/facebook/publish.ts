import { isReel } from '@flashsheet/contracts/video'
import {
  NetworkError,
  pollGapMs,
  type ListedPost,
  type NetworkContext,
  type PublishJob,
  type PublishSteps,
} from '../adapter.ts'
import { textOf } from '../refusal.ts'
import { videoOf } from '../video-limits.ts'
import { address, graphCalls, postsSince, type Graph } from './graph.ts'
import { attachmentTargets, confirmPhotos, publishPhotos, uploadPhotos } from './photos.ts'
import { confirmReel, publishReel, uploadReel } from './reels.ts'
import { facebookEvidence } from './evidence.ts'
import { confirmVideo, publishVideo, uploadVideo, usesHandle } from './videos.ts'

type Method = 'photos' | 'reel' | 'video'

/**
 * Publishing to a Facebook page in one of three ways, chosen once and saved in the checkpoint: pictures as unpublished
 * photos of one `/feed` post, upright short videos as reels, other videos in phases.
 */
export function facebookPublish(context: NetworkContext<'facebook'>): PublishSteps {
  const graph = graphCalls(context)
  return {
    shortestPollGapMs: pollGapMs(5_000, context.config),
    longestPollGapMs: 30_000,
    evidenceOf: (checkpoint) =>
      facebookEvidence[methodOf(checkpoint) === 'video' && usesHandle(checkpoint) ? 'handle' : methodOf(checkpoint)],

    async prepare(job) {
      const media = await job.media()
      const [first] = media
      if (!first) throw new NetworkError('permanent', 'no_media', 'Facebook needs a picture or a video.')
      const method: Method = first.kind === 'image' ? 'photos' : isReel(videoOf(first)) ? 'reel' : 'video'
      if (methodOf(job.checkpoint) !== method) job.saveLater({ way: method })
      if (method === 'photos') await uploadPhotos(graph, job)
      else if (method === 'reel') await uploadReel(graph, job, first)
      else await uploadVideo(graph, job, first)
      return { state: 'ready' }
    },

    publish: async (job) =>
      await { photos: publishPhotos, reel: publishReel, video: publishVideo }[methodOf(job.checkpoint)](graph, job),

    confirm: async (job) =>
      await { photos: confirmPhotos, reel: confirmReel, video: confirmVideo }[methodOf(job.checkpoint)](graph, job),

    // No list of a page contains reels (docs/networks/facebook.md).
    listPosts: (job) => (methodOf(job.checkpoint) === 'reel' ? null : listedPosts(graph, job)),

    link: async (job, remoteId) =>
      address((await graph.read(job, remoteId, { fields: 'permalink_url' }))['permalink_url']),
  }
}

function methodOf(checkpoint: PublishJob['checkpoint']): Method {
  const way = checkpoint['way']
  return way === 'reel' || way === 'video' ? way : 'photos'
}

/** Photo and video posts of the page, since the first publish call. */
async function* listedPosts(graph: Graph, job: PublishJob): AsyncGenerator<ListedPost> {
  for await (const post of postsSince(
    graph,
    job,
    'id,message,created_time,permalink_url,attachments{media_type,target{id},subattachments{target{id}}}',
  )) {
    const id = textOf(post['id'])
    if (!id) continue
    yield {
      id,
      otherIds: attachmentTargets(post).filter(Boolean),
      at: new Date(textOf(post['created_time'])),
      text: textOf(post['message']),
      permalink: address(post['permalink_url']),
    }
  }
}
