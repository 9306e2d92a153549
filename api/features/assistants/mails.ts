import { assistantMessages } from '@flashsheet/contracts/assistants/messages'
import { scopeWords } from '@flashsheet/contracts/keys/messages'
import type { KeyScope } from '@flashsheet/contracts/keys/limits'
import { type MailText, securityReason } from '../../core/mail.ts'

/** Where an artist sees what is connected, and disconnects it. */
export const assistantsPath = '/settings/developers'

/** What an assistant may do, in words. */
export const scopesInWords = (scopes: readonly KeyScope[]) => scopes.map((scope) => scopeWords[scope]).join('; ')

/** When an assistant was connected: whoever did so was logged in as the artist, and it stays until it is disconnected. */
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
      { label: 'It leads back to', value: assistant.host },
      { label: 'It may', value: scopesInWords(assistant.scopes) },
    ],
    button: { label: assistantMessages.connectedAction, url: `${publicUrl}${assistantsPath}` },
    reason: securityReason,
    links: [forgotUrl],
  }
}
