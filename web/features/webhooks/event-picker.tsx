import { webhookTypes, type WebhookType } from '@flashsheet/contracts/webhooks/limits'
import { webhookTypeLabels } from '@flashsheet/contracts/webhooks/messages'
import { useId } from 'react'
import { Checkbox } from '../../ui/checkbox.tsx'
import layout from '../../ui/layout.module.css'
import text from '../../ui/text.module.css'
import styles from './event-picker.module.css'

/** All events but the test call, which every endpoint receives. */
const choices = webhookTypes.filter((type) => type !== 'ping')

type Props = {
  value: readonly WebhookType[]
  onChange: (value: readonly WebhookType[]) => void
  error: string | undefined
}

export function EventPicker({ value, onChange, error }: Props) {
  const errorId = useId()
  const picked = choices.filter((type) => value.includes(type))
  const isAll = picked.length === choices.length
  return (
    <fieldset className={layout['stack-1']} aria-describedby={error && errorId}>
      <legend className={text['legend']}>Called when</legend>
      {error && (
        <p id={errorId} className={text['error']} role="alert">
          {error}
        </p>
      )}
      <Checkbox
        checked={isAll}
        partly={picked.length > 0 && !isAll}
        onChange={(on) => onChange(on ? [...choices] : value.filter((type) => type === 'ping'))}
      >
        Anything below happens
      </Checkbox>
      <div className={styles['each']}>
        {choices.map((type) => (
          <Checkbox
            key={type}
            checked={value.includes(type)}
            onChange={(on) => onChange(on ? [...value, type] : value.filter((one) => one !== type))}
          >
            {webhookTypeLabels[type]}
          </Checkbox>
        ))}
      </div>
    </fieldset>
  )
}
