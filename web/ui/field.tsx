import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { FieldError, Label, Text } from 'react-aria-components'
import { classes } from './classes.ts'
import hiddenStyles from './visually-hidden.module.css'
import text from './text.module.css'
import styles from './field.module.css'

/** The texts of a field. */
export type FieldTexts = {
  label: string
  /** Hides the label visually, where the screen shows it elsewhere. */
  isLabelHidden?: boolean
  /** A line of help below the field. */
  description?: ReactNode
  /** The validation error; announced by screen readers. */
  error?: string
}

/** Props for the react-aria component of every field. */
export function fieldProps({ error, disabled = false }: { error?: string; disabled?: boolean }) {
  return {
    className: styles['field'] ?? '',
    isInvalid: error !== undefined,
    isDisabled: disabled,
    validationBehavior: 'aria',
  } as const
}

/** The label of a field, with optional content at its end ("Optional", "Forgot password?"). */
export function FieldLabel({
  label,
  isLabelHidden,
  aside,
}: Pick<FieldTexts, 'label' | 'isLabelHidden'> & { aside?: ReactNode }) {
  if (isLabelHidden) return <Label className={hiddenStyles['hidden'] ?? ''}>{label}</Label>
  return (
    <div className={styles['head']}>
      <Label className={text['label']}>{label}</Label>
      {aside && <div className={classes(text['note'], styles['aside'])}>{aside}</div>}
    </div>
  )
}

/** Description, error and counter below a field. */
export function FieldFoot({
  description,
  error,
  count,
  max,
}: Pick<FieldTexts, 'description' | 'error'> & { count?: number; max?: number | undefined }) {
  if (!description && !error && max === undefined) return null
  return (
    <div className={styles['foot']}>
      <div className={styles['notes']}>
        {error && (
          <FieldError className={styles['error'] ?? ''}>
            <CircleAlert />
            <span>{error}</span>
          </FieldError>
        )}
        {description && (
          <Text slot="description" className={text['muted'] ?? ''}>
            {description}
          </Text>
        )}
      </div>
      {max !== undefined && (
        <span className={classes(styles['count'], (count ?? 0) > max && styles['over'])}>
          {count ?? 0}/{max}
        </span>
      )}
    </div>
  )
}
