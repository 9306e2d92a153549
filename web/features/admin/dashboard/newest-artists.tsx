import { adminLimits } from '@flashsheet/contracts/admin/limits'
import { formatShortDay } from '../../../lib/format.ts'
import { trpc } from '../../../lib/trpc.ts'
import { ButtonLink } from '../../../ui/button-link.tsx'
import { Card } from '../../../ui/card.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { PendingQuery } from '../../parts/pending-query.tsx'
import layout from '../../../ui/layout.module.css'
import text from '../../../ui/text.module.css'
import { Person } from '../parts/person.tsx'

const newestInput = { page: 1, limit: adminLimits.dashboardUsers } as const

export function NewestArtists() {
  const list = trpc.admin.users.useQuery(newestInput)
  return (
    <Card
      title="Newest Artists"
      aside={
        <ButtonLink to="/admin/users" size="small" variant="quiet">
          All artists
        </ButtonLink>
      }
    >
      {list.data ? (
        <ul className={layout['stack-3']}>
          {list.data.users.map((user) => (
            <li key={user._id} className={layout['ends']}>
              <Person id={user._id} name={user.name} note={user.email} />
              <time className={text['note']} dateTime={user.createdAt}>
                {formatShortDay(user.createdAt)}
              </time>
            </li>
          ))}
        </ul>
      ) : (
        <PendingQuery query={list} label="Loading artists" failed="Failed to load artists">
          <Skeleton />
        </PendingQuery>
      )}
    </Card>
  )
}
