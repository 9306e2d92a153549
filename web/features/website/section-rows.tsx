import { siteLimits } from '@flashsheet/contracts/website/limits'
import { Plus, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { DatePicker, FirstDayPicker } from '../../ui/date-picker.tsx'
import { focusAdded } from '../../ui/focus-added.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useSettling } from '../../ui/use-settling.ts'
import styles from './section-fields.module.css'
import type { SiteErrors, SiteValues } from './site-draft.ts'

type List = 'services' | 'questions' | 'guestSpots'
type Row<Name extends List> = SiteValues[Name][number]
type Props<Name extends List> = {
  rows: Row<Name>[]
  errors: SiteErrors
  onChange: (rows: Row<Name>[]) => void
}

type RowsProps<Name extends List> = Props<Name> & {
  list: Name
  maxRows: number
  empty: Row<Name>
  /** The name of one row, as in "Add a service". */
  noun: string
  fields: (
    row: Row<Name>,
    field: (name: keyof Row<Name> & string) => FieldProps,
    set: (row: Row<Name>) => void,
  ) => ReactNode
}
type FieldProps = { value: string; error: string | undefined; onChange: (value: string) => void }

function Rows<Name extends List>({ list, rows, errors, onChange, maxRows, empty, noun, fields }: RowsProps<Name>) {
  return (
    <div className={styles['rows']} data-settling={useSettling(rows.length)}>
      {rows.map((row, index) => {
        const set = (changed: Row<Name>) => onChange(rows.with(index, changed))
        const field = (name: keyof Row<Name> & string): FieldProps => ({
          value: String(row[name]),
          error: errors[`sections.${list}.${index}.${name}`],
          onChange: (value) => set({ ...row, [name]: value }),
        })
        return (
          // Rows have no id, and they are never reordered.
          <fieldset key={index} className={styles['row']} aria-label={`${noun} ${index + 1}`}>
            <div className={styles['fields']}>{fields(row, field, set)}</div>
            <IconButton label={`Remove ${noun} ${index + 1}`} onPress={() => onChange(rows.toSpliced(index, 1))}>
              <Trash2 />
            </IconButton>
          </fieldset>
        )
      })}
      {rows.length < maxRows && (
        <Button size="small" icon={<Plus />} onPress={(event) => focusAdded(event, () => onChange([...rows, empty]))}>
          Add a {noun}
        </Button>
      )}
    </div>
  )
}

export function ServiceRows(props: Props<'services'>) {
  return (
    <Rows
      {...props}
      list="services"
      noun="service"
      maxRows={siteLimits.services}
      empty={{ name: '', price: '', note: '' }}
      fields={(_row, field) => (
        <>
          <div className={styles['pair']}>
            <TextField label="Service" {...field('name')} />
            <TextField label="Price" placeholder="from $120" {...field('price')} />
          </div>
          <TextField label="Note" {...field('note')} />
        </>
      )}
    />
  )
}

export function QuestionRows(props: Props<'questions'>) {
  return (
    <Rows
      {...props}
      list="questions"
      noun="question"
      maxRows={siteLimits.questions}
      empty={{ question: '', answer: '' }}
      fields={(_row, field) => (
        <>
          <TextField label="Question" {...field('question')} />
          <TextArea label="Answer" rows={3} {...field('answer')} />
        </>
      )}
    />
  )
}

export function GuestSpotRows(props: Props<'guestSpots'>) {
  return (
    <Rows
      {...props}
      list="guestSpots"
      noun="guest spot"
      maxRows={siteLimits.guestSpots}
      empty={{ place: '', from: '', to: '' }}
      fields={(row, field, set) => (
        <>
          <TextField label="Studio and city" {...field('place')} />
          <div className={styles['pair']}>
            <FirstDayPicker
              label="From"
              value={row.from || null}
              lastDay={row.to || null}
              error={field('from').error}
              onChange={(from, to) => set({ ...row, from: from ?? '', to: to ?? '' })}
            />
            <DatePicker
              label="To"
              value={row.to || null}
              error={field('to').error}
              onChange={(to) => set({ ...row, to: to ?? '' })}
            />
          </div>
        </>
      )}
    />
  )
}
