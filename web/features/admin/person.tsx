import { Link } from '@tanstack/react-router'
import { Avatar } from '../../ui/avatar.tsx'
import styles from './person.module.css'

/** Somebody in a list: initials, name, and a second line. Without a name 'Unknown User' (spec 2). */
export function Person({ id, name, note, size = 'small' }: { id: string | null; name: string; note?: string; size?: 'small' | 'medium' }) {
  const shown = name.trim() || 'Unknown User'
  return (
    <span className={styles['person']}>
      <Avatar name={name} size={size} />
      <span className={styles['words']}>
        {id === null ? (
          <span className={styles['name']} title={shown}>
            {shown}
          </span>
        ) : (
          <Link to="/admin/users/$id" params={{ id }} className={styles['name']} title={shown}>
            {shown}
          </Link>
        )}
        {note !== undefined && (
          <span className={styles['note']} title={note}>
            {note}
          </span>
        )}
      </span>
    </span>
  )
}
