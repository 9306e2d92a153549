import { trpc } from '../../lib/trpc.ts'
import { Avatar } from '../../ui/avatar.tsx'
import text from '../../ui/text.module.css'
import layout from '../../ui/layout.module.css'
import { classes } from '../../ui/classes.ts'
import styles from './sandbox-accounts.module.css'

type SandboxAccountsProps = {
  busy: boolean
  onPick: (login: { email: string; password: string }) => void
}

/** The demo accounts of the sandbox, each a button that logs in. Renders nothing in production. */
export function SandboxAccounts({ busy, onPick }: SandboxAccountsProps) {
  const logins = trpc.auth.demoLogins.useQuery(undefined, { staleTime: Infinity, retry: false }).data ?? []
  if (logins.length === 0) return null
  return (
    <section className={styles['accounts']} aria-labelledby="demo-logins-title">
      <h2 id="demo-logins-title" className={styles['title']}>
        Or look around as
      </h2>
      <ul className={layout['panel']}>
        {logins.map((login) => (
          <li key={login.email}>
            <button
              type="button"
              className={classes(layout['row-button'], styles['person'])}
              disabled={busy}
              onClick={() => onPick({ email: login.email, password: login.password })}
            >
              <Avatar name={login.name} />
              <span className={classes(layout['words'], styles['words'])}>
                <span className={text['strong']}>{login.name}</span>
                <span className={text['note']}>{login.about}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      <p className={text['note']}>Demo accounts of the sandbox. Nothing reaches a real network, mailbox or card.</p>
    </section>
  )
}
