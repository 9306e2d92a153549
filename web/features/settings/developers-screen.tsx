import { ApiKeys } from './api-keys.tsx'
import styles from './settings-screen.module.css'

/** /settings/developers: the keys that programs of the artist call with. */
export function DevelopersScreen() {
  return (
    <div className={styles['screen']}>
      <ApiKeys />
    </div>
  )
}
