import type { StaffList } from '@flashsheet/contracts/admin/limits'
import type { BadgeTone } from '../../../ui/badge.tsx'

export const staffListTexts: Record<
  StaffList,
  { what: string; item: string; time: string; placeholder?: string; note?: string }
> = {
  'scheduled-posts': { what: 'posts', item: 'Post', time: 'Scheduled for' },
  appointments: {
    what: 'appointments',
    item: 'Client',
    time: 'Starts',
    note: 'What clients entered belongs to their artist: names, addresses and numbers are masked.',
  },
  media: { what: 'media', item: 'File', time: 'Uploaded' },
  websites: {
    what: 'websites',
    item: 'Domain name',
    time: 'Last saved',
    placeholder: 'Search by artist or name',
  },
  'social-accounts': { what: 'accounts', item: 'Account', time: 'Connected' },
}

export const stateBadges: Record<string, { label: string; tone: BadgeTone }> = {
  failed: { label: 'Failed', tone: 'failed' },
  scheduled: { label: 'Scheduled', tone: 'scheduled' },
  posted: { label: 'Posted', tone: 'posted' },
  pending: { label: 'Pending', tone: 'pending' },
  confirmed: { label: 'Confirmed', tone: 'scheduled' },
  completed: { label: 'Completed', tone: 'posted' },
  cancelled: { label: 'Cancelled', tone: 'neutral' },
  refused: { label: 'Refused', tone: 'failed' },
  image: { label: 'Image', tone: 'neutral' },
  video: { label: 'Video', tone: 'neutral' },
  ended: { label: 'Plan ended', tone: 'failed' },
  hidden: { label: 'Hidden', tone: 'neutral' },
  published: { label: 'Published', tone: 'posted' },
  reconnect: { label: 'Reconnect needed', tone: 'failed' },
  ok: { label: 'Healthy', tone: 'posted' },
}
