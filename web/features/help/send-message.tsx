import { ContactInput } from '@flashsheet/contracts/notices/schema'
import { noticeMessages } from '@flashsheet/contracts/notices/messages'
import type { ReactNode } from 'react'
import { failureOf } from '../../lib/failure.ts'
import { trpcClient } from '../../lib/trpc.ts'
import { fieldErrors } from '../../lib/validation.ts'
import { Alert } from '../../ui/alert.tsx'

/** The outcome of sending: the text to show, and errors by field. */
export type MessageSent = { said?: ReactNode; isSent: boolean; fields: Record<string, string> }

/** Validates and sends a message. The landing page loads this module when the visitor focuses the form. */
export async function sendMessage(values: ContactInput): Promise<MessageSent> {
  const wrong = fieldErrors(ContactInput, values)
  if (Object.keys(wrong).length > 0) return { isSent: false, fields: wrong }
  try {
    const { message } = await trpcClient.notices.contact.mutate(values)
    return { isSent: true, fields: {}, said: <Alert tone="success" live title={message} /> }
  } catch (error) {
    const { message, detail, fields } = failureOf(error, noticeMessages.contactFailed)
    if (fields) return { isSent: false, fields }
    return {
      isSent: false,
      fields: {},
      said: (
        <Alert tone="danger" live title={message}>
          {detail}
        </Alert>
      ),
    }
  }
}
