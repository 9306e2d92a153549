import { cursorsOf } from '../core/cursor.ts'
import { ownerScope } from '../core/scope.ts'
import { exampleIds as ids, examplePlan, exampleVariant } from './body-examples.ts'

/** The example of a parameter `id`, by the beginning of the path. */
const idsByPath: readonly (readonly [path: string, id: string])[] = [
  ['/api/media', ids.media],
  ['/api/uploads', ids.media],
  ['/files/media', ids.media],
  ['/api/social-accounts', ids.account],
  ['/files/page-pictures', ids.account],
  ['/api/admin/users', ids.artist],
  ['/files/site-images', 'Zk3rT0aJw9QeUu5cVh1B2g'],
]

const at = new Date('2030-05-01T16:00:00Z')
const { next: cursor } = cursorsOf('posts', ownerScope(ids.artist)).pageOf([ids.post, ids.draft], 1, (id) => ({
  at,
  id,
}))

/** Examples by the name of the parameter; `api/openapi.test.ts` parses each with the schema of its row. */
const byName: Record<string, string | number | undefined> = {
  postId: ids.post,
  draftId: ids.draft,
  jobId: ids.media,
  deliveryId: ids.other,
  accountId: ids.account,
  pageId: exampleVariant.pageId,
  platform: exampleVariant.platform,
  form: 'thumbnail',
  position: 0,
  token: 'Zk3rT0aJw9QeUu5cVh1B2g',
  file: '0123456789abcdef.webp',
  limit: 50,
  cursor,
  from: '2030-05-01T00:00:00Z',
  to: '2030-06-01T00:00:00Z',
  count: 3,
  page: 1,
  search: 'mara',
  sortBy: 'createdAt',
  sortOrder: 'desc',
  plan: examplePlan,
  status: 'active',
  action: 'renewed',
  domainName: 'quill-and-needle',
  date: '2030-05-01',
}

/** An example of a parameter in the path or query of a row, if there is one. */
export function parameterExample(path: string, name: string): string | number | undefined {
  if (name !== 'id') return byName[name]
  return idsByPath.find(([prefix]) => path.startsWith(prefix))?.[1] ?? ids.other
}
