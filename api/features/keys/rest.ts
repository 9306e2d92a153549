import { IdParam } from '@flashsheet/contracts/input'
import { ApiKey, CreateKeyInput, Deleted, Me, NewApiKey } from '@flashsheet/contracts/keys/schema'
import { z } from 'zod'
import { row, rowFor, type RestRow } from '../../core/rest.ts'
import { createKey, listKeys, revokeKey, getCaller } from './service.ts'

const verified = rowFor('verified', 'never')

export const keyRest: readonly RestRow[] = [
  row('GET /api/me', 'verified', 'any', { answer: Me, run: async (ctx) => getCaller(ctx) }),
  verified('GET /api/keys', { answer: z.array(ApiKey), run: listKeys }),
  verified('POST /api/keys', { input: CreateKeyInput, answer: NewApiKey, status: 201, creates: true, run: createKey }),
  verified('DELETE /api/keys/:id', { input: IdParam, answer: Deleted, run: revokeKey }),
]
