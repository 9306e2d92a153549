import type { SiteSection } from '@flashsheet/contracts/website/limits'

export const sectionTexts: Record<SiteSection, { name: string; note: string }> = {
  work: { name: 'Work', note: 'Your gallery.' },
  flash: { name: 'Available flash', note: 'What you mark as flash in your gallery, with “Book this”.' },
  services: { name: 'Services', note: 'What you offer, with prices.' },
  about: { name: 'Who you are', note: 'What you wrote above, with your picture.' },
  guestSpots: { name: 'Guest spots', note: 'Where you work for a while. Past ones disappear by themselves.' },
  hours: { name: 'Hours', note: 'The hours you set for bookings.' },
  questions: { name: 'Questions', note: 'What clients ask before they book.' },
  aftercare: { name: 'Aftercare', note: 'How to look after a new tattoo.' },
  book: { name: 'Book', note: 'A button to your free times. Hidden while bookings are closed.' },
  contact: { name: 'Contact', note: 'Email, phone, studio and map, and your pages.' },
}
