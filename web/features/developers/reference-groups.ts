import type { Operation } from './openapi-document.ts'

/** The groups of the reference, by the tags of the OpenAPI document: what an artist's developer needs most comes first. */
const groups: readonly { title: string; tags: readonly string[] }[] = [
  { title: 'Posts', tags: ['posts'] },
  { title: 'Media', tags: ['media', 'uploads', 'public'] },
  { title: 'Accounts', tags: ['social-accounts', 'socials', 'networks', 'page-pictures'] },
  { title: 'Drafts and queue', tags: ['drafts', 'queue'] },
  { title: 'Site', tags: ['websitebuilder', 'gallery', 'site-images'] },
  { title: 'Bookings', tags: ['appointments', 'availability'] },
  { title: 'Webhooks', tags: ['webhooks'] },
  { title: 'You and your plan', tags: ['me', 'subscriptions'] },
  { title: 'Discovery', tags: ['openapi.json', 'oauth-protected-resource', 'oauth-authorization-server'] },
]

/** The operations in their groups, without groups that are empty. A tag of no group is one of its own, at the end. */
export function inGroups(operations: readonly Operation[]): [title: string, operations: Operation[]][] {
  const titleOf = ({ tags: [tag = ''] }: Operation) => groups.find(({ tags }) => tags.includes(tag))?.title ?? tag
  const byTitle = Map.groupBy(operations, titleOf)
  const titles = new Set([...groups.map(({ title }) => title), ...byTitle.keys()])
  return [...titles].flatMap((title) => {
    const found = byTitle.get(title)
    return found ? [[title, found] as [string, Operation[]]] : []
  })
}
