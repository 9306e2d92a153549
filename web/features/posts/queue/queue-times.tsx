import { queueLimits } from '@flashsheet/contracts/queue/limits'
import { queueMessages } from '@flashsheet/contracts/queue/messages'
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { failureOf } from '../../../lib/failure.ts'
import { trpc } from '../../../lib/trpc.ts'
import { unsavedChangesNote } from '../../../lib/stored-value.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { focusAdded } from '../../../ui/focus-added.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'
import hidden from '../../../ui/visually-hidden.module.css'
import { useSettling } from '../../../ui/use-settling.ts'
import layout from '../../../ui/layout.module.css'
import { classes } from '../../../ui/classes.ts'
import text from '../../../ui/text.module.css'
import styles from './queue-screen.module.css'
import { SlotPages } from './slot-pages.tsx'
import { RetryAlert } from '../../parts/retry-alert.tsx'
import { slotsOf, type Slot, type useUnsavedTimes } from './use-unsaved-times.ts'

/** From Monday, which is 1 as in the API. */
const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const workingDays = [1, 2, 3, 4, 5]

const isComplete = ({ time, days, pages }: Slot) => time !== '' && days.length > 0 && pages?.length !== 0

/** Edits the slots of the queue. Slots that were saved elsewhere replace unchanged ones at once, and changed ones on request. */
export function QueueTimes({
  times,
  pending,
  refusal,
  onSave,
}: {
  times: ReturnType<typeof useUnsavedTimes>
  pending: boolean
  /** The error of the last save. */
  refusal: string | undefined
  onSave: (slots: Slot[]) => void
}) {
  const { rows, hasUnsavedChanges } = times
  const [isSubmitted, setIsSubmitted] = useState(false)
  const discard = () => {
    times.discard()
    setIsSubmitted(false)
  }
  const accounts = trpc.social.accounts.useQuery()
  const change = (id: number, patch: Partial<Slot>) =>
    times.change(rows.map((row) => (row.id === id ? { ...row, slot: { ...row.slot, ...patch } } : row)))
  const add = () =>
    times.change([
      ...rows,
      { id: Math.max(-1, ...rows.map(({ id }) => id)) + 1, slot: { days: workingDays, time: '18:00' } },
    ])
  const save = () => {
    const slots = slotsOf(rows)
    const isValid = slots.every(isComplete)
    setIsSubmitted(!isValid)
    if (isValid) onSave(slots)
  }
  return (
    <div className={layout['stack-4']} data-settling={useSettling(rows.length)}>
      {rows.length === 0 && <p className={text['note']}>There are no times yet, so nothing can be queued.</p>}
      {rows.map(({ id, slot }, at) => (
        <fieldset key={id} className={styles['slot']}>
          <legend className={hidden['hidden']}>Time {at + 1}</legend>
          <TextField
            label={`Time ${at + 1}`}
            isLabelHidden
            type="time"
            value={slot.time}
            onChange={(time) => change(id, { time })}
            error={isSubmitted && slot.time === '' ? queueMessages.timeWrong : undefined}
          />
          <div className={styles['days']}>
            {days.map((name, index) => {
              const day = index + 1
              const isOn = slot.days.includes(day)
              return (
                <Button
                  key={day}
                  size="small"
                  variant={isOn ? 'ink' : 'secondary'}
                  aria-pressed={isOn}
                  onPress={() =>
                    change(id, {
                      days: isOn
                        ? slot.days.filter((one) => one !== day)
                        : [...slot.days, day].toSorted((one, other) => one - other),
                    })
                  }
                >
                  <span aria-hidden="true">{name.slice(0, 3)}</span>
                  <VisuallyHidden>{name}</VisuallyHidden>
                </Button>
              )
            })}
          </div>
          <IconButton label={`Remove time ${at + 1}`} onPress={() => times.change(rows.filter((row) => row.id !== id))}>
            <Trash2 />
          </IconButton>
          {isSubmitted && slot.days.length === 0 && (
            <p className={classes(text['error'], styles['problem'])}>{queueMessages.daysRequired}</p>
          )}
          <SlotPages
            pages={slot.pages}
            onChange={(pages) => change(id, { pages })}
            accounts={accounts.data}
            isSubmitted={isSubmitted}
          />
        </fieldset>
      ))}
      {accounts.error && !accounts.data && (
        <RetryAlert
          failure={{ ...failureOf(accounts.error, ''), message: 'Your pages could not be loaded' }}
          onRetry={() => void accounts.refetch()}
          pending={accounts.isFetching}
        />
      )}
      {refusal !== undefined && (
        <Alert tone="danger" live>
          {refusal}
        </Alert>
      )}
      {times.isChangedElsewhere && (
        <Alert
          tone="warning"
          live
          action={
            <Button size="small" onPress={discard}>
              {queueMessages.showOthers}
            </Button>
          }
        >
          {queueMessages.changedElsewhere}
        </Alert>
      )}
      <div className={classes(layout['row-3'], styles['foot'])}>
        <Button
          icon={<Plus />}
          onPress={(event) => focusAdded(event, add)}
          isDisabled={rows.length >= queueLimits.slotsMax}
        >
          Add a time
        </Button>
        <span className={classes(text['note'], styles['unsaved'])} aria-live="polite">
          {hasUnsavedChanges && unsavedChangesNote}
        </span>
        {hasUnsavedChanges && (
          <Button variant="quiet" onPress={discard} isDisabled={pending}>
            Discard
          </Button>
        )}
        {(hasUnsavedChanges || pending) && (
          <Button variant="primary" onPress={save} pending={pending} pendingLabel="Saving...">
            Save times
          </Button>
        )}
      </div>
    </div>
  )
}
