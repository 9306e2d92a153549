import { linkHours } from '@flashsheet/contracts/auth/limits'
import { postLimits } from '@flashsheet/contracts/posts/limits'
import { type MailText, securityReason } from '../../core/mail.ts'

const registeredReason =
  'You are getting this email because someone registered at Flashsheet with this address. If it was not you, do nothing.'

/** A mail about log-in and access, which cannot be switched off. */
const securityMail = (name: string, text: Omit<MailText, 'greeting' | 'reason'>): MailText => ({
  ...text,
  greeting: `Hi ${name},`,
  reason: securityReason,
})

const dateAndTime = (at: Date) =>
  `${new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(at)} UTC`

/** The mailbox is not verified yet, so the greeting has no name. The facts say who registered, when and on which device. */
export function verifyEmailMail(
  registered: { name: string; at: Date; device: string },
  { url, token, code }: { url: string; token: string; code: string },
): MailText {
  return {
    subject: 'Verify your email address',
    greeting: 'Hello,',
    paragraphs: [
      'Somebody registered at Flashsheet with this address. If it was you, please confirm that the address is yours: press the button, or type the code below where you registered.',
      'If it was not you, do nothing, or open the link and choose "This wasn\'t me": the address is then yours alone.',
      `If the button does not work, enter this verification token by hand: ${token}`,
      `Link and code work for ${linkHours.verify_email} hours.`,
    ],
    facts: [
      { label: 'Code', value: code },
      { label: 'Registered as', value: registered.name },
      { label: 'When', value: dateAndTime(registered.at) },
      { label: 'On', value: registered.device },
    ],
    button: { label: 'Verify email', url },
    reason: registeredReason,
  }
}

/** To the address that staff set. */
export function verifyStaffChangeMail(name: string, url: string, token: string): MailText {
  return {
    subject: 'Verify your email address',
    greeting: `Hi ${name},`,
    paragraphs: [
      'Our staff changed the address of your Flashsheet account to this one. Please confirm that it is yours, then log in with it and the password you have.',
      `If the button does not work, enter this verification token by hand: ${token}`,
      `The link works for ${linkHours.verify_email} hours.`,
    ],
    button: { label: 'Verify email', url },
    reason:
      'You are getting this email because our staff entered this address for a Flashsheet account. If it is not yours, do nothing.',
  }
}

/** To the owner of an address that somebody tried to register again. */
export function alreadyRegisteredMail(name: string, publicUrl: string): MailText {
  const forgotUrl = `${publicUrl}/forgot-password`
  return {
    subject: 'You already have a Flashsheet account',
    greeting: `Hi ${name},`,
    paragraphs: [
      'Someone tried to register with this address, but it already has an account. If it was you, just log in.',
      `Forgot the password? Choose a new one: ${forgotUrl}`,
    ],
    button: { label: 'Log in', url: `${publicUrl}/login` },
    reason: registeredReason,
    links: [forgotUrl],
  }
}

/** Without a name when the mailbox was never verified: somebody else may have registered. */
export function resetPasswordMail(name: string | null, url: string): MailText {
  return {
    subject: 'Reset your password',
    greeting: name === null ? 'Hello,' : `Hi ${name},`,
    paragraphs: [
      'Choose a new password for your Flashsheet account.',
      'The link works once, for one hour. Every device that is logged in will have to log in again.',
    ],
    button: { label: 'Reset password', url },
    reason:
      'You are getting this email because someone asked to reset the password of your account. If it was not you, do nothing: your password stays as it is.',
  }
}

export function passwordChangedMail(name: string, publicUrl: string): MailText {
  const developersUrl = `${publicUrl}/settings/developers`
  return securityMail(name, {
    subject: 'Your password was changed',
    paragraphs: [
      'The password of your Flashsheet account was changed, and every other device was logged out.',
      `API keys and connected assistants, if you have any, go on working. Delete or disconnect them in Settings, under Developers: ${developersUrl}`,
      'If it was not you, reset the password right away.',
    ],
    button: { label: 'Reset password', url: `${publicUrl}/forgot-password` },
    links: [developersUrl],
  })
}

/** To the new address, for confirmation. */
export function changeEmailMail(name: string, url: string, token: string): MailText {
  return {
    subject: 'Confirm your new email address',
    greeting: `Hi ${name},`,
    paragraphs: [
      'Please confirm that this is the new address of your Flashsheet account.',
      `If the button does not work, enter this verification token by hand: ${token}`,
      `The link works for ${linkHours.change_email} hours. Until then everything stays with the old address.`,
    ],
    button: { label: 'Confirm address', url },
    reason:
      'You are getting this email because someone entered this address for a Flashsheet account. If it was not you, do nothing.',
  }
}

/** To the current address. */
export const emailChangeRequestedMail = (name: string, publicUrl: string, newEmail: string): MailText =>
  securityMail(name, {
    subject: 'Your email address is about to change',
    paragraphs: [
      `Someone asked to change the address of your Flashsheet account to ${newEmail}. The change takes effect once it is confirmed there.`,
      'If it was not you, reset the password right away: that stops it.',
    ],
    button: { label: 'Reset password', url: `${publicUrl}/forgot-password` },
  })

/** To the previous address. */
export const emailChangedMail = (name: string, publicUrl: string, newEmail: string): MailText =>
  securityMail(name, {
    subject: 'Your email address was changed',
    paragraphs: [
      `The address of your Flashsheet account is ${newEmail} now. You can no longer log in with this one, nor with a Google account that opened it.`,
      'If it was not you, write to us.',
    ],
    button: { label: 'Contact us', url: `${publicUrl}/contact` },
  })

/** To the previous address, when staff changed it. */
export const emailChangedByStaffMail = (name: string, publicUrl: string, newEmail: string): MailText =>
  securityMail(name, {
    subject: 'Your email address was changed',
    paragraphs: [
      `Our staff changed the address of your Flashsheet account to ${newEmail}, and every device was logged out. You can no longer log in with this address, nor with a Google account that opened it.`,
      'Please confirm the new address with the link that we sent to it. If it is not yours, write to us.',
    ],
    button: { label: 'Contact us', url: `${publicUrl}/contact` },
  })

export const deactivatedMail = (name: string, publicUrl: string): MailText =>
  securityMail(name, {
    subject: 'Your account has been deactivated',
    paragraphs: [
      'Our staff deactivated your Flashsheet account. You cannot log in until it is active again.',
      `Your scheduled posts wait until then. Those still waiting ${postLimits.missedAfterHours} hours after their time are not published.`,
      'If you have a website, it is closed to visitors until then.',
      'If you have a subscription, it and its billing go on unchanged.',
    ],
    button: { label: 'Contact us', url: `${publicUrl}/contact` },
  })

/** `isServed`: scheduled posts go on; without a plan, or while the account is being deleted, they stay held. */
export const reactivatedMail = (name: string, publicUrl: string, isServed: boolean): MailText =>
  securityMail(name, {
    subject: 'Your account is active again',
    paragraphs: [
      'Your Flashsheet account is active again, and you can log in.',
      ...(isServed
        ? [
            `Your scheduled posts go on. Those whose time passed less than ${postLimits.missedAfterHours} hours ago go out now.`,
          ]
        : []),
    ],
    button: { label: 'Log in', url: `${publicUrl}/login` },
  })

/** To the owner of an address that another artist requested for their account. */
export function addressTakenMail(name: string, publicUrl: string): MailText {
  return {
    subject: 'This address already has a Flashsheet account',
    greeting: `Hi ${name},`,
    paragraphs: [
      'Someone wanted to use this address for another account. It belongs to yours, so nothing was changed.',
    ],
    button: { label: 'Log in', url: `${publicUrl}/login` },
    reason:
      'You are getting this email because someone entered this address at Flashsheet. If it was not you, do nothing.',
  }
}

/** When Google sign-in was linked to an account. */
export function googleLinkedMail(name: string, publicUrl: string, googleEmail: string): MailText {
  const contactUrl = `${publicUrl}/contact`
  return securityMail(name, {
    subject: 'Google was linked to your account',
    paragraphs: [
      `Someone signed in at Flashsheet with the Google account ${googleEmail}. It can be used to log in to your account from now on.`,
      `If it was not you, write to us: ${contactUrl}`,
    ],
    button: { label: 'See your settings', url: `${publicUrl}/settings` },
    links: [contactUrl],
  })
}

/** When the owner removed Google sign-in. */
export const googleRemovedMail = (name: string, publicUrl: string): MailText =>
  securityMail(name, {
    subject: 'Google was removed from your account',
    paragraphs: [
      'Continue with Google was removed from your Flashsheet account, and every other device was logged out. You log in with your password.',
      'If it was not you, reset the password right away.',
    ],
    button: { label: 'Your settings', url: `${publicUrl}/settings` },
  })

/** The day is that of the artist's zone: in UTC it may be a day too late, after the account is gone. */
export const deletionRequestedMail = (
  { name, timeZone }: { name: string; timeZone: string },
  publicUrl: string,
  deletesAt: Date,
): MailText =>
  securityMail(name, {
    subject: 'Your account will be deleted',
    paragraphs: [
      `You asked us to delete your Flashsheet account. It happens on ${new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone }).format(deletesAt)}: posts, media, website, appointments and the connections to your networks are all deleted, and nobody can bring them back.`,
      'Until then nothing is deleted. If you have a subscription, it ends now and is not charged again. Scheduled posts are not published, and a website shows a holding page.',
      'Changed your mind, or was it not you? Log in before that day and keep the account.',
    ],
    button: { label: 'Log in', url: `${publicUrl}/login` },
  })

export const deletionUndoneMail = (name: string, publicUrl: string): MailText =>
  securityMail(name, {
    subject: 'Your account will not be deleted',
    paragraphs: [
      'Your Flashsheet account is no longer about to be deleted, and everything in it is still there.',
      'If you had a subscription, it has ended. Choose a plan, and scheduled posts and your website go on.',
    ],
    button: { label: 'Choose a plan', url: `${publicUrl}/subscription` },
  })

/** After the account was removed. */
export function accountDeletedMail(name: string): MailText {
  return {
    subject: 'Your account was deleted',
    greeting: `Hi ${name},`,
    paragraphs: [
      'Your Flashsheet account and everything in it were deleted. Of your payments we keep the records the law asks for, without your name.',
      'Thank you for the time you were with us.',
    ],
    reason: 'You are getting this email because your Flashsheet account was deleted. It is the last one.',
  }
}
