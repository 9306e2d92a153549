import { ApiKey, CreateKeyInput, Deleted, KeyParam, Me, NewApiKey } from '@flashsheet/contracts/keys/schema'
import { z } from 'zod'
import { row, type RestRow } from '../../core/rest.ts'
import { createKey, listKeys, revokeKey, getCaller } from './service.ts'

export const keyRest: readonly RestRow[] = [
  row({
    method: 'GET',
    path: '/api/me',
    guard: 'verified',
    key: 'any',
    answer: Me,
    input: z.object({}),
    run: async (ctx) => getCaller(ctx),
  }),
  row({
    method: 'GET',
    path: '/api/keys',
    guard: 'verified',
    key: 'never',
    answer: z.array(ApiKey),
    input: z.object({}),
    run: listKeys,
  }),
  row({
    method: 'POST',
    path: '/api/keys',
    guard: 'verified',
    key: 'never',
    creates: true,
    answer: NewApiKey,
    input: CreateKeyInput,
    status: 201,
    run: createKey,
  }),
  row({
    method: 'DELETE',
    path: '/api/keys/:id',
    guard: 'verified',
    key: 'never',
    answer: Deleted,
    input: KeyParam,
    run: revokeKey,
  }),
]
