import { studioPlan } from '../plans.ts'
import { galleryLimits, siteLimits } from './limits.ts'

export const galleryMessages = {
  added: 'Added to gallery!',
  addedMany: (n: number) => `${n} item(s) added to gallery!`,
  removedMany: (n: number) => `${n} item(s) removed from gallery!`,
  addFailed: 'Failed to add to gallery',
  removeFailed: 'Failed to remove from gallery',
  notInGallery: 'This item is not in your gallery.',
  altTextTooLong: `Please describe the picture in at most ${galleryLimits.altText} characters.`,
  emptyTitle: 'No Gallery Media',
  emptyText: 'Add media from the All tab.',
  /** Undefined: not known yet. */
  title: (n: number | undefined) => `Gallery (${n ?? '…'})`,
  loadFailed: 'Your gallery could not be loaded.',
  planTitle: `The gallery comes with ${studioPlan.name}`,
  planText: 'It shows your work on your own website, beside your booking page. Your media library stays as it is.',
} as const

export const siteMessages = {
  saved: 'Saved successfully.',
  saveFailed: 'Your website could not be saved.',
  domainNameRequired: 'Domain name is required',
  nameRequired: 'Please enter your name.',
  domainNameForm: 'Use 3 to 40 lower-case letters, digits and hyphens, with a letter or digit at each end.',
  domainNameReserved: 'This name is reserved. Please choose another one.',
  domainNameTaken: 'This name is taken. Please choose another one.',
  aboutTooLong: `Please keep it to ${siteLimits.about} characters.`,
  tooLong: `Please keep it to ${siteLimits.line} characters.`,
  email: 'Please enter a valid email address.',
  phone: 'Please enter a phone number, such as +1 718 555 0142.',
  section: 'This part of the page is not known.',
  sectionTwice: 'Each part of the page can be shown once.',
  serviceName: 'Please name the service.',
  question: 'Please enter the question.',
  answer: 'Please enter the answer.',
  answerTooLong: `Please keep it to ${siteLimits.answer} characters.`,
  noteTooLong: `Please keep it to ${siteLimits.serviceNote} characters.`,
  priceTooLong: `Please keep it to ${siteLimits.price} characters.`,
  aftercareTooLong: `Please keep it to ${siteLimits.aftercare} characters.`,
  guestPlace: 'Please enter where.',
  guestFrom: 'Please choose the first day.',
  guestTo: 'Please choose a last day, not before the first one.',
  layout: 'Please choose one of the layouts.',
  palette: 'Please choose one of the palettes.',
  imageUnknown: 'Please upload this image again.',
  uploadFailed: 'Upload failed',
} as const
