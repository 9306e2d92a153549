import { useId } from 'react'
import { Button, type ButtonProps } from './button.tsx'
import { Dialog, type DialogProps } from './dialog.tsx'
import { Form, type FormProps } from './form.tsx'

type FormDialogProps = Pick<DialogProps, 'open' | 'onClose' | 'title' | 'children' | 'unsaved'> &
  Pick<FormProps, 'onSubmit'> &
  Pick<ButtonProps, 'variant' | 'pendingLabel'> & {
    /** The verb of the button that submits. */
    action: string
    cancel?: string
    pending: boolean
  }

/** A dialog with a form. It cannot be closed while the form is sent. */
export function FormDialog({
  title,
  children,
  onSubmit,
  action,
  cancel = 'Cancel',
  variant = 'primary',
  pending,
  pendingLabel,
  ...dialog
}: FormDialogProps) {
  const formId = useId()
  return (
    <Dialog
      {...dialog}
      title={title}
      busy={pending}
      actions={
        <>
          <Button onPress={dialog.onClose} isDisabled={pending}>
            {cancel}
          </Button>
          <Button type="submit" form={formId} variant={variant} pending={pending} pendingLabel={pendingLabel}>
            {action}
          </Button>
        </>
      }
    >
      <Form id={formId} aria-label={title} onSubmit={onSubmit}>
        {children}
      </Form>
    </Dialog>
  )
}
