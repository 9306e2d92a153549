/** Limits of the lists in the admin area. */
export const adminLimits = {
  pageSize: 10,
  pageSizeMax: 100,
  pageMax: 1_000_000,
  searchMax: 200,
  recentOrders: 5,
  dashboardUsers: 5,
} as const

/** Rows that are counted beyond the current page; a list with more says so, instead of reading all rows for a number. */
export const countedMatches = 1000

/** A search for a word in names and addresses is counted by so many: each find has to be read for it. */
export const countedFinds = 500

/** What a list across artists has of a word that more artists have than that is counted by so many: all would have to be looked through. */
export const countedOfMany = 50

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

/** What staff can look through across artists, each with its states, the failing ones first. */
export const staffLists = {
  'scheduled-posts': ['failed', 'scheduled', 'posted'],
  appointments: ['pending', 'confirmed', 'completed', 'cancelled'],
  media: ['refused', 'image', 'video'],
  websites: ['ended', 'hidden', 'published'],
  'social-accounts': ['reconnect', 'ok'],
} as const satisfies Record<string, readonly string[]>
export type StaffList = keyof typeof staffLists
export const staffListNames = Object.keys(staffLists) as [StaffList, ...StaffList[]]
