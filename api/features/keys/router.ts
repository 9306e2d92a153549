import { CreateKeyInput, KeyParam } from '@flashsheet/contracts/keys/schema'
import { router, verifiedProcedure } from '../../core/procedures.ts'
import { createKey, listKeys, revokeKey, getCaller } from './service.ts'

const verified = verifiedProcedure('never')

export const keysRouter = router({
  caller: verifiedProcedure('any').query(({ ctx }) => getCaller(ctx)),
  list: verified.query(({ ctx }) => listKeys(ctx)),
  create: verifiedProcedure('never', { creates: true })
    .input(CreateKeyInput)
    .mutation(({ ctx, input }) => createKey(ctx, input)),
  revoke: verified.input(KeyParam).mutation(({ ctx, input }) => revokeKey(ctx, input)),
})
