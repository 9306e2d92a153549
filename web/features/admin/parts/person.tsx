import { Link } from '@tanstack/react-router'
import { Avatar } from '../../../ui/avatar.tsx'
import { Clipped } from './clipped.tsx'
import styles from './person.module.css'
import { nameOf } from './labels.ts'

export function Person({ id, name, note }: { id: string | null; name: string; note?: string }) {
  const clippedName = <Clipped variant="strong" text={nameOf({ name })} />
  return (
    <span className={styles['person']}>
      <Avatar name={name} size="small" />
      <span className={styles['words']}>
        {id === null ? (
          clippedName
        ) : (
          <Link to="/admin/users/$id" params={{ id }} className={styles['link']}>
            {clippedName}
          </Link>
        )}
        {note !== undefined && <Clipped variant="note" text={note} />}
      </span>
    </span>
  )
}
