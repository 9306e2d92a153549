import type { StaffList } from '@flashsheet/contracts/admin/limits'

/** Apart from the other texts, since route files are loaded with the first page of every artist. */
export const staffListTitles: Record<StaffList, string> = {
  'scheduled-posts': 'Scheduled Posts',
  appointments: 'Appointments',
  media: 'Media',
  websites: 'Websites',
  'social-accounts': 'Social Accounts',
}
