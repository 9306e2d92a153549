import { z } from 'zod'
import { instantInput } from '../instant.ts'
import { atMost } from '../max-length.ts'
import { planIds } from '../plans.ts'
import { keyLimits, keyScopes } from './limits.ts'
import { keyMessages } from './messages.ts'

export const CreateKeyInput = z.object({
  name: z
    .string({ error: keyMessages.nameRequired })
    .trim()
    .min(1, keyMessages.nameRequired)
    .check(atMost(keyLimits.nameMax, keyMessages.nameTooLong)),
  scopes: z.array(z.enum(keyScopes, { error: keyMessages.scopesWrong }), { error: keyMessages.scopesWrong }).max(50),
  /** Absent or null: it does not end by itself. */
  expiresAt: instantInput(keyMessages.expiryPast).nullish(),
})
export type CreateKeyInput = z.infer<typeof CreateKeyInput>

export const ApiKey = z.object({
  _id: z.uuid(),
  name: z.string(),
  /** How the key begins: enough to tell it from others. */
  prefix: z.string(),
  scopes: z.array(z.enum(keyScopes)),
  createdAt: z.string(),
  /** To the minute; null while it was never used. */
  lastUsedAt: z.string().nullable(),
  expiresAt: z.string().nullable(),
})
export type ApiKey = z.infer<typeof ApiKey>

/** A key just made: the only answer that holds the key itself. */
export const NewApiKey = ApiKey.extend({ key: z.string() })
export type NewApiKey = z.infer<typeof NewApiKey>

export const Deleted = z.object({ deleted: z.literal(true) })
export type Deleted = z.infer<typeof Deleted>

/** Who is calling. */
export const Me = z.object({
  _id: z.uuid(),
  name: z.string(),
  email: z.string(),
  /** The plan that is paid for, or null. */
  plan: z.enum(planIds).nullable(),
  timeZone: z.string(),
  /** What the key may do; null for a session, which may do all. */
  scopes: z.array(z.enum(keyScopes)).nullable(),
})
export type Me = z.infer<typeof Me>
