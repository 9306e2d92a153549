import { Link } from '@tanstack/react-router'
import { Avatar } from '../../../ui/avatar.tsx'
import { TruncatedText } from './truncated-text.tsx'
import styles from './person.module.css'
import { nameOf } from './labels.ts'

export function Person({ id, name, note }: { id: string | null; name: string; note?: string }) {
  const truncatedName = <TruncatedText variant="strong" text={nameOf({ name })} />
  return (
    <span className={styles['person']}>
      <Avatar name={name} size="small" />
      <span className={styles['words']}>
        {id === null ? (
          truncatedName
        ) : (
          <Link to="/admin/users/$id" params={{ id }} className={styles['link']}>
            {truncatedName}
          </Link>
        )}
        {note !== undefined && <TruncatedText variant="note" text={note} />}
      </span>
    </span>
  )
}
