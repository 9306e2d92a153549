import { useEffect, useRef, useState } from 'react'
import { trpc } from '../../lib/trpc.ts'
import { newUuid } from '../../lib/uuid.ts'
import { ComboBox } from '../../ui/combo-box.tsx'
import { TextField } from '../../ui/text-field.tsx'
import type { SiteChanges, SiteFieldsProps } from './site-draft.ts'
import styles from './site-form.module.css'

const debounceMs = 250
const minSearchLength = 3

/** The studio's address with autocomplete. Without suggestions it is a plain text field. */
export function AddressFields({ values, errors, onChange }: Omit<SiteFieldsProps, 'saved'>) {
  const utils = trpc.useUtils()
  // Google bills all suggestions and the place chosen from them as one session.
  const [session, setSession] = useState(newUuid)
  const [typed, setTyped] = useState('')
  const [searched, setSearched] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSearched(typed.trim()), debounceMs)
    return () => clearTimeout(timer)
  }, [typed])
  const search = trpc.website.suggestPlaces.useQuery(
    { input: searched, session },
    {
      enabled: searched.length >= minSearchLength,
      retry: false,
      staleTime: 60_000,
      placeholderData: (before) => before,
    },
  )
  const options = searched.length < minSearchLength ? [] : (search.data ?? [])

  /** What was typed since a place was chosen last. It is kept when the place's address arrives. */
  const typedSince = useRef<SiteChanges>({})
  const edit = (changes: SiteChanges) => {
    Object.assign(typedSince.current, changes)
    onChange(changes)
  }
  const choose = async (placeId: string) => {
    const kept = (typedSince.current = {})
    // The rest follows with the address.
    const street = options.find((option) => option.placeId === placeId)?.text.split(',')[0]
    if (street !== undefined) onChange({ shopAddress: street })
    setTyped('')
    setSearched('')
    setSession(newUuid())
    const address = await utils.website.findPlace.fetch({ placeId, session }).catch(() => null)
    if (address && kept === typedSince.current) onChange({ ...address, ...kept })
  }
  const field = (name: 'city' | 'state' | 'zip') => ({
    name,
    value: values[name],
    error: errors[name],
    onChange: (value: string) => edit({ [name]: value }),
  })
  return (
    <>
      {/* Enter selects a suggestion and must not submit the form. */}
      <div
        role="presentation"
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.preventDefault()
        }}
      >
        <ComboBox
          label="Shop address"
          name="shopAddress"
          free
          value={null}
          onChange={(placeId) => {
            if (placeId !== null) void choose(placeId)
          }}
          text={values.shopAddress}
          onTextChange={(text) => {
            edit({ shopAddress: text })
            setTyped(text)
          }}
          options={options.map((option) => ({ value: option.placeId, label: option.text }))}
          error={errors.shopAddress}
          description="Leave it empty to keep it to yourself. Suggestions by Google."
        />
      </div>
      <div className={styles['place']}>
        <TextField label="City" autoComplete="address-level2" {...field('city')} />
        <TextField label="State" autoComplete="address-level1" {...field('state')} />
        <TextField label="ZIP" autoComplete="postal-code" inputMode="numeric" {...field('zip')} />
      </div>
    </>
  )
}
