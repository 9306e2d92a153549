import type { Tx } from '@flashsheet/db/client'
import { isServed } from '@flashsheet/db/entitlements'
import { users } from '@flashsheet/db/schema/auth'
import { and, eq } from 'drizzle-orm'
import type { OwnerId } from './scope.ts'

/** Whether work goes on for the artist: posts are published, and endpoints called. */
export async function isServedArtist(db: Tx, owner: OwnerId): Promise<boolean> {
  return (await db.$count(users, and(eq(users.id, owner), isServed))) === 1
}
