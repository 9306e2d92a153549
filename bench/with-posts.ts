import { platforms } from '@flashsheet/contracts/networks'
import type { DbClient } from '@flashsheet/db/client'
import { postMedia, posts, postTargets } from '@flashsheet/db/schema/posts'
import { newId } from '../api/core/ids.ts'

type Picture = { id: string; fileName: string; thumbnailKey: string }
type Post = { status: 'posted' | 'scheduled'; at: Date }

/** Inserts posts of one picture to two networks; none of them is published. */
export async function insertPosts(
  db: DbClient['db'],
  artist: { id: string },
  pictures: readonly Picture[],
  wanted: readonly Post[],
): Promise<void> {
  const made = wanted.map((post, n) => ({ ...post, n, id: newId(), times: { createdAt: post.at, updatedAt: post.at } }))
  for (let from = 0; from < made.length; from += 500) {
    const some = made.slice(from, from + 500)
    await db.insert(posts).values(
      some.map(({ id, n, status, at, times }) => ({
        id,
        userId: artist.id,
        status,
        scheduledAt: at,
        timeZone: 'America/New_York',
        requestId: id,
        requestHash: String(n),
        ...times,
      })),
    )
    await db.insert(postMedia).values(
      some.map(({ id, n }) => {
        const picture = pictures[n % pictures.length]
        return {
          postId: id,
          position: 0,
          mediaId: picture?.id ?? null,
          kind: 'image' as const,
          fileName: picture?.fileName ?? '',
          thumbnailKey: picture?.thumbnailKey ?? '',
        }
      }),
    )
    await db.insert(postTargets).values(
      some.flatMap(({ id, n, status, at, times }) =>
        platforms.slice(0, 2).map((platform) => ({
          id: newId(),
          postId: id,
          userId: artist.id,
          platform,
          pageId: `page-${platform}`,
          pageName: 'Ada Inkwell',
          title: '',
          message: `Flash number ${n}, black and grey, two hours`,
          options: {},
          phase: status,
          dueAt: at,
          checkpoint: {},
          ...(status === 'posted' ? { permalink: `https://network.example/${id}`, postedAt: at } : {}),
          ...times,
        })),
      ),
    )
  }
}
