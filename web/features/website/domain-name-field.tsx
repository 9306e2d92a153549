import { DomainName } from '@flashsheet/contracts/website/schema'
import { CircleCheck } from 'lucide-react'
import { useEffect, useState } from 'react'
import { trpc } from '../../lib/trpc.ts'
import { TextField } from '../../ui/text-field.tsx'
import styles from './domain-name-field.module.css'
import { toDomainName } from './site-draft.ts'

const debounceMs = 300

/** The site's subdomain. The server checks whether it is free. */
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
  const [checkedName, setCheckedName] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setCheckedName(value), debounceMs)
    return () => clearTimeout(timer)
  }, [value])
  const isPossible = DomainName.safeParse(checkedName).success
  const check = trpc.website.checkDomainName.useQuery(
    { domainName: checkedName },
    { enabled: checkedName !== '', placeholderData: (before) => before },
  )
  // The result may still be the one of an earlier name.
  const result = checkedName === value && !check.isPlaceholderData ? check.data : undefined
  const refusal = result && !result.free ? (result.message ?? undefined) : undefined
  const address = `${(check.data?.address ?? '').replace(/^https?:\/\//, '')}`
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
            {result?.free && isPossible ? (
              <>
                <CircleCheck className={styles['free']} />
                <span>
                  <strong>{address}</strong> {value === saved ? 'is yours.' : 'is free.'}
                </span>
              </>
            ) : result ? null : check.isError ? (
              'It could not be checked. Saving checks it again.'
            ) : (
              'Checking…'
            )}
          </span>
        )
      }
    />
  )
}
