/** Limits of the lists in the admin area. */
export const adminLimits = {
  pageSize: 10,
  pageSizeMax: 100,
  pageMax: 1_000_000,
  searchMax: 200,
  recentOrders: 5,
  dashboardUsers: 5,
} as const

/** Rows are counted only this far beyond the current page, since a full count would read all rows. */
export const maxCountedRows = 1000

/** The same for a search in names and addresses, which must read every match to count it. */
export const maxCountedSearchRows = 500

/** The same for a search whose word matches so many artists that counting would have to read all of their rows. */
export const maxCountedCommonWordRows = 50

export const userSortKeys = ['createdAt', 'name', 'email'] as const
export type UserSortKey = (typeof userSortKeys)[number]

/** Everything staff can do to an account (audit log). */
export const auditActions = [
  'user_updated',
  'user_activated',
  'user_deactivated',
  'user_deleted',
  'admin_granted',
  'admin_by_setting',
  'admin_revoked',
] as const
export type AuditAction = (typeof auditActions)[number]

/** Lists across artists for staff, each with its statuses, the failing ones first. */
export const staffLists = {
  'scheduled-posts': ['failed', 'scheduled', 'posted'],
  appointments: ['pending', 'confirmed', 'completed', 'cancelled'],
  media: ['refused', 'image', 'video'],
  websites: ['ended', 'hidden', 'published'],
  'social-accounts': ['reconnect', 'ok'],
} as const satisfies Record<string, readonly string[]>
export type StaffList = keyof typeof staffLists
export const staffListNames = Object.keys(staffLists) as [StaffList, ...StaffList[]]
