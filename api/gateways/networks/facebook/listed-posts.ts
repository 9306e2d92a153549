import type { ListedPost, PublishJob } from '../adapter.ts'
import { textOf } from '../refusal.ts'
import { address, postsSince, type Graph } from './graph.ts'
import { attachmentTargets } from './photos.ts'

/** Photo and video posts of the page, since the first publish call. */
export async function* listedPosts(graph: Graph, job: PublishJob): AsyncGenerator<ListedPost> {
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
