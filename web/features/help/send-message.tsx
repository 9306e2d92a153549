import { ContactInput } from '@flashsheet/contracts/notices/schema'
import { noticeMessages } from '@flashsheet/contracts/notices/messages'
import type { ReactNode } from 'react'
import { failureOf } from '../../lib/failure.ts'
import { trpcClient } from '../../lib/trpc.ts'
import { fieldErrors } from '../../lib/validation.ts'
import { Alert } from '../../ui/alert.tsx'

/** What became of a message: what to say of it, and what is wrong with its fields. */
export type MessageSent = { said?: ReactNode; isSent: boolean; fields: Record<string, string> }

/** Sends a message of the contact form. For a page that loads this only once somebody writes. */
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
