import { DomainName } from '@flashsheet/contracts/website/schema'
import { CircleCheck } from 'lucide-react'
import { useEffect, useState } from 'react'
import { trpc } from '../../lib/trpc.ts'
import { TextField } from '../../ui/text-field.tsx'
import styles from './domain-name-field.module.css'
import { toDomainName } from './site-draft.ts'

const debounceMs = 300

/** The site's subdomain, with the server's answer on whether it is free. */
export function DomainNameField({
  value,
  saved,
  error,
  onChange,
}: {
  value: string
  saved: string
  error: string | undefined
  onChange: (value: string) => void
}) {
  const [asked, setAsked] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setAsked(value), debounceMs)
    return () => clearTimeout(timer)
  }, [value])
  const isPossible = DomainName.safeParse(asked).success
  const verdict = trpc.website.checkDomainName.useQuery(
    { domainName: asked },
    { enabled: asked !== '', staleTime: 5000, placeholderData: (before) => before },
  )
  // The answer may still be about an earlier name.
  const answer = asked === value && !verdict.isPlaceholderData ? verdict.data : undefined
  const refusal = answer && !answer.free ? (answer.message ?? undefined) : undefined
  const address = `${(verdict.data?.address ?? '').replace(/^https?:\/\//, '')}`
  return (
    <TextField
      label="Domain name"
      name="domainName"
      value={value}
      onChange={(typed) => onChange(toDomainName(typed))}
      error={error ?? refusal}
      autoComplete="off"
      placeholder="your-name"
      description={
        value === '' ? (
          'Lower-case letters, numbers and hyphens. This is your web address.'
        ) : (
          <span className={styles['verdict']} aria-live="polite">
            {answer?.free && isPossible ? (
              <>
                <CircleCheck className={styles['free']} />
                <span>
                  <strong>{address}</strong> {value === saved ? 'is yours.' : 'is free.'}
                </span>
              </>
            ) : answer ? null : (
              'Checking…'
            )}
          </span>
        )
      }
    />
  )
}
