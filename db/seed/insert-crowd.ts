import type { Db } from '../client.ts'
import { users } from '../schema/auth.ts'
import { sites } from '../schema/website.ts'
import type { CrowdSite } from './crowd.ts'

export type PastUser = { id: string; name: string; email: string; timeZone: string; isActive: boolean; createdAt: Date }

/** Inserts users who registered in the past, all with the same password; the API cannot do that. */
export async function insertPastUsers(db: Db, people: readonly PastUser[], passwordHash: string): Promise<void> {
  await db
    .insert(users)
    .values(people.map((one) => ({ ...one, passwordHash, emailVerifiedAt: one.createdAt, updatedAt: one.createdAt })))
}

/** Their sites, without pictures. */
export async function insertPastSites(
  db: Db,
  owned: readonly (CrowdSite & { userId: string; name: string; email: string; createdAt: Date })[],
): Promise<void> {
  if (owned.length === 0) return
  const colors = { backgroundColor: '#15110e', textColor: '#f4ecdd', buttonColor: '#d2402f', hoverColor: '#a52b1d' }
  await db.insert(sites).values(
    owned.map(({ shopName, ...one }) => ({
      ...colors,
      ...one,
      shopName,
      domainName: shopName.toLowerCase().replaceAll(/[^a-z]+/g, '-'),
      about: `${shopName}, by appointment.`,
      shopAddress: '',
      zip: '',
      updatedAt: one.createdAt,
    })),
  )
}
