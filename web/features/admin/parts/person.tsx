import { Link } from '@tanstack/react-router'
import { Avatar } from '../../../ui/avatar.tsx'
import { TruncatedText } from './truncated-text.tsx'
import { classes } from '../../../ui/classes.ts'
import text from '../../../ui/text.module.css'
import layout from '../../../ui/layout.module.css'
import styles from './person.module.css'
import { nameOf } from './labels.ts'

export function Person({ id, name, note }: { id: string | null; name: string; note?: string }) {
  const truncatedName = <TruncatedText variant="strong" text={nameOf({ name })} />
  return (
    <span className={classes(layout['line-2'], styles['person'])}>
      <Avatar name={name} size="small" />
      <span className={styles['words']}>
        {id === null ? (
          truncatedName
        ) : (
          <Link to="/admin/users/$id" params={{ id }} className={classes(text['quiet-link'], styles['link'])}>
            {truncatedName}
          </Link>
        )}
        {note !== undefined && <TruncatedText variant="note" text={note} />}
      </span>
    </span>
  )
}
