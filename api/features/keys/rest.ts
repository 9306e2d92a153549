import { IdParam } from '@flashsheet/contracts/input'
import { ApiKey, CreateKeyInput, Deleted, Me, NewApiKey } from '@flashsheet/contracts/keys/schema'
import { z } from 'zod'
import { row, type RestRow } from '../../core/rest.ts'
import { createKey, listKeys, revokeKey, getCaller } from './service.ts'

export const keyRest: readonly RestRow[] = [
  row('GET /api/me', 'verified', 'any', { answer: Me, run: async (ctx) => getCaller(ctx) }),
  row('GET /api/keys', 'verified', 'never', { answer: z.array(ApiKey), run: listKeys }),
  row('POST /api/keys', 'verified', 'never', {
    input: CreateKeyInput,
    answer: NewApiKey,
    status: 201,
    creates: true,
    run: createKey,
  }),
  row('DELETE /api/keys/:id', 'verified', 'never', { input: IdParam, answer: Deleted, run: revokeKey }),
]
