import { ContactInput } from '@flashsheet/contracts/notices/schema'
import { noticeMessages } from '@flashsheet/contracts/notices/messages'
import type { ReactNode } from 'react'
import { failureOf } from '../../lib/failure.ts'
import { trpcClient } from '../../lib/trpc.ts'
import { fieldErrors } from '../../lib/validation.ts'
import { Alert } from '../../ui/alert.tsx'

/** The outcome of sending: a notice to show, and errors by field. */
export type MessageSent = { notice?: ReactNode; isSent: boolean; fields: Record<string, string> }

/** Validates and sends a message. The landing page loads this module when the form gets the focus. */
export async function sendMessage(values: ContactInput): Promise<MessageSent> {
  const invalid = fieldErrors(ContactInput, values)
  if (Object.keys(invalid).length > 0) return { isSent: false, fields: invalid }
  try {
    const { message } = await trpcClient.notices.contact.mutate(values)
    return { isSent: true, fields: {}, notice: <Alert tone="success" live title={message} /> }
  } catch (error) {
    const { message, detail, fields } = failureOf(error, noticeMessages.contactFailed)
    if (fields) return { isSent: false, fields }
    return {
      isSent: false,
      fields: {},
      notice: (
        <Alert tone="danger" live title={message}>
          {detail}
        </Alert>
      ),
    }
  }
}
