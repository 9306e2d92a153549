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
  /** Absent or null: it does not expire. */
  expiresAt: instantInput(keyMessages.expiryPast).nullish(),
})
export type CreateKeyInput = z.infer<typeof CreateKeyInput>

export const ApiKey = z.object({
  _id: z.uuid(),
  name: z.string(),
  /** The beginning of the key, by which its owner recognises it. */
  prefix: z.string(),
  scopes: z.array(z.enum(keyScopes)),
  createdAt: z.string(),
  /** Accurate to a minute; null before its first use. */
  lastUsedAt: z.string().nullable(),
  expiresAt: z.string().nullable(),
})
export type ApiKey = z.infer<typeof ApiKey>

/** A new key; the only answer that contains the key itself. */
export const NewApiKey = ApiKey.extend({ key: z.string() })
export type NewApiKey = z.infer<typeof NewApiKey>

export const Deleted = z.object({ deleted: z.literal(true) })
export type Deleted = z.infer<typeof Deleted>

/** The caller. */
export const Me = z.object({
  _id: z.uuid(),
  name: z.string(),
  email: z.string(),
  /** The plan that is paid for, or null. */
  plan: z.enum(planIds).nullable(),
  timeZone: z.string(),
  /** The scopes of the key; null for a session, which may do everything. */
  scopes: z.array(z.enum(keyScopes)).nullable(),
})
export type Me = z.infer<typeof Me>
