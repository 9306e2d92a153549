import type { Operation } from './openapi-document.ts'

/** The groups of the reference, by the tags of the OpenAPI document. The ones that developers need most come first. */
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

/** The operations by group, without empty groups. A tag without a group becomes a group at the end. */
export function groupOperations(operations: readonly Operation[]): [title: string, operations: Operation[]][] {
  const titleOf = ({ tags: [tag = ''] }: Operation) => groups.find(({ tags }) => tags.includes(tag))?.title ?? tag
  const byTitle = Map.groupBy(operations, titleOf)
  const titles = new Set([...groups.map(({ title }) => title), ...byTitle.keys()])
  return [...titles].flatMap((title) => {
    const members = byTitle.get(title)
    return members ? [[title, members] as [string, Operation[]]] : []
  })
}
