import { adminLimits, type AuditAction } from '@flashsheet/contracts/admin/limits'
import type { AuditEntry } from '@flashsheet/contracts/admin/schema'
import { keepPreviousData } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { formatStamp } from '../../../lib/format.ts'
import { trpc } from '../../../lib/trpc.ts'
import { Card } from '../../../ui/card.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import text from '../../../ui/text.module.css'
import styles from './audit-log.module.css'
import { ListPending } from '../lists/list-pending.tsx'
import { PagedSection } from '../lists/paged-section.tsx'
import { LoadFailed } from '../../parts/pending-query.tsx'
import { listNavigation } from '../parts/search-params.ts'
import { useLastPage } from '../lists/use-last-page.ts'

const verbs: Record<AuditAction, string> = {
  user_updated: 'changed',
  user_activated: 'activated',
  user_deactivated: 'deactivated',
  user_deleted: 'deleted',
  admin_granted: 'gave admin rights to',
  admin_by_setting: 'gave admin rights to',
  admin_revoked: 'removed admin rights from',
}
const fieldNames: Record<string, string> = { name: 'name', email: 'address' }

const from = '/admin/settings'

export function AuditLog() {
  const { page = 1 } = useSearch({ from })
  const navigate = useNavigate({ from })
  const log = trpc.admin.audit.useQuery({ page, limit: adminLimits.pageSize }, { placeholderData: keepPreviousData })
  useLastPage(log.data?.pagination)
  return (
    <Card title="Audit log" note="Everything that staff changed. Entries are never edited or removed.">
      {log.error && !log.data && <LoadFailed query={log} failed="Failed to load the audit log" />}
      {!log.data && !log.error && <ListPending label="Loading the audit log" />}
      {log.data && log.data.entries.length === 0 && <EmptyState variant="bare" title="No entries yet" />}
      {log.data && log.data.entries.length > 0 && (
        <PagedSection
          label="Entries of the audit log"
          page={page}
          pagination={log.data.pagination}
          isPending={log.isPlaceholderData}
          onPage={(next) => void navigate(listNavigation({ page: next }))}
        >
          <ol>
            {log.data.entries.map((entry) => (
              <Entry key={entry._id} entry={entry} />
            ))}
          </ol>
        </PagedSection>
      )}
    </Card>
  )
}

/** An entry without an actor was made by a setting or a command. */
function actorNameOf({ actor, action }: AuditEntry): string {
  if (actor) return actor.name || 'A deleted account'
  return action === 'admin_by_setting' ? 'The setting ADMIN_EMAIL' : 'The command line'
}

function Entry({ entry }: { entry: AuditEntry }) {
  const { action, subject, fields, addresses, at } = entry
  const changed = fields.map((field) => fieldNames[field] ?? field).join(' and ')
  return (
    <li className={styles['entry']}>
      <p>
        <strong>{actorNameOf(entry)}</strong> {verbs[action]} {changed !== '' && `${changed} of `}
        {subject.name === '' ? (
          <span title={subject._id}>an account that no longer exists</span>
        ) : (
          <Link to="/admin/users/$id" params={{ id: subject._id }}>
            {subject.name}
          </Link>
        )}
        {addresses && `, from ${addresses.from} to ${addresses.to}`}
      </p>
      <time className={text['note']} dateTime={at}>
        {formatStamp(at)}
      </time>
    </li>
  )
}
