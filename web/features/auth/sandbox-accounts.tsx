import { trpc } from '../../lib/trpc.ts'
import { Avatar } from '../../ui/avatar.tsx'
import styles from './sandbox-accounts.module.css'

type SandboxAccountsProps = {
  busy: boolean
  onPick: (member: { email: string; password: string }) => void
}

/** The demo accounts of the sandbox, each with a button that logs in as them. Empty in production. */
export function SandboxAccounts({ busy, onPick }: SandboxAccountsProps) {
  const cast = trpc.auth.cast.useQuery(undefined, { staleTime: Infinity, retry: false }).data ?? []
  if (cast.length === 0) return null
  return (
    <section className={styles['cast']} aria-labelledby="cast-title">
      <h2 id="cast-title" className={styles['title']}>
        Or look around as
      </h2>
      <ul className={styles['people']}>
        {cast.map((member) => (
          <li key={member.email}>
            <button
              type="button"
              className={styles['person']}
              disabled={busy}
              onClick={() => onPick({ email: member.email, password: member.password })}
            >
              <Avatar name={member.name} />
              <span className={styles['words']}>
                <span className={styles['name']}>{member.name}</span>
                <span className={styles['about']}>{member.about}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      <p className={styles['note']}>
        Made-up people of the sandbox: no network, mailbox or card outside this machine is touched.
      </p>
    </section>
  )
}
