import { assistantMessages } from '@flashsheet/contracts/assistants/messages'
import { scopeLabels } from '@flashsheet/contracts/keys/messages'
import type { KeyScope } from '@flashsheet/contracts/keys/limits'
import { type MailText, securityReason } from '../../core/mail.ts'

/** The screen that lists connected assistants and disconnects them. */
export const assistantsPath = '/settings/developers'

/** The permissions of an assistant, as a sentence fragment. */
export const describeScopes = (scopes: readonly KeyScope[]) => scopes.map((scope) => scopeLabels[scope]).join('; ')

/** A security mail: an intruder in a session could have connected the assistant, and a new password does not end it. */
export function assistantConnectedMail(
  artist: string,
  assistant: { name: string; host: string; scopes: readonly KeyScope[] },
  publicUrl: string,
): MailText {
  const forgotUrl = `${publicUrl}/forgot-password`
  return {
    subject: assistantMessages.connectedTitle,
    greeting: `Hi ${artist},`,
    paragraphs: [
      'An assistant was connected to your Flashsheet account. It acts for you, within what it may do, until you disconnect it in Settings, under Developers.',
      `If it was not you, disconnect it and reset the password right away. A new password alone does not disconnect it: ${forgotUrl}`,
    ],
    facts: [
      { label: 'It calls itself', value: assistant.name },
      { label: 'It sends you back to', value: assistant.host },
      { label: 'It may', value: describeScopes(assistant.scopes) },
    ],
    button: { label: assistantMessages.connectedAction, url: `${publicUrl}${assistantsPath}` },
    reason: securityReason,
    links: [forgotUrl],
  }
}
