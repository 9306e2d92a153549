import { viewerZone } from '../../lib/format.ts'
import { trpc } from '../../lib/trpc.ts'
import { ButtonAnchor } from '../../ui/button-link.tsx'
import { SkeletonBlocks } from '../../ui/skeleton.tsx'
import { AgeAndTerms } from './age-and-terms.tsx'
import text from '../../ui/text.module.css'
import { classes } from '../../ui/classes.ts'
import styles from './google-button.module.css'

/** Absent when Google sign-in is not configured. It can create an account, so it shows the age limit and the terms of a registration. */
export function GoogleButton() {
  const methods = trpc.auth.signInMethods.useQuery(undefined, { staleTime: Infinity })
  if (methods.isError || methods.data?.google === false) return null
  const zone = new URLSearchParams({ timeZone: viewerZone() })
  return (
    <div className={styles['google']}>
      <p className={classes(text['note'], styles['or'])}>or</p>
      {methods.data ? (
        <ButtonAnchor href={`/api/auth/google?${zone.toString()}`} size="large" wide icon={<GoogleSign />}>
          Continue with Google
        </ButtonAnchor>
      ) : (
        <SkeletonBlocks frame={styles['waiting']} />
      )}
      <p className={text['note']}>
        By continuing with Google you confirm that you are <AgeAndTerms />
      </p>
    </div>
  )
}

function GoogleSign() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path
        className={styles['blue']}
        d="M23 12.25c0-.8-.07-1.57-.2-2.31H12v4.4h6.17a5.28 5.28 0 0 1-2.29 3.46v2.87h3.7C21.74 18.69 23 15.74 23 12.25z"
      />
      <path
        className={styles['green']}
        d="M12 23.5c3.1 0 5.7-1.03 7.59-2.78l-3.7-2.87c-1.03.69-2.35 1.1-3.89 1.1-2.99 0-5.52-2.02-6.42-4.73H1.75v2.96A11.46 11.46 0 0 0 12 23.5z"
      />
      <path className={styles['yellow']} d="M5.58 14.22a6.9 6.9 0 0 1 0-4.4V6.85H1.75a11.5 11.5 0 0 0 0 10.33z" />
      <path
        className={styles['scarlet']}
        d="M12 5.05c1.69 0 3.2.58 4.4 1.72l3.27-3.28A11 11 0 0 0 12 .5 11.46 11.46 0 0 0 1.75 6.85l3.83 2.97C6.48 7.08 9.01 5.05 12 5.05z"
      />
    </svg>
  )
}
