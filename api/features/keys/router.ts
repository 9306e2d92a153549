import { IdParam } from '@flashsheet/contracts/input'
import { CreateKeyInput } from '@flashsheet/contracts/keys/schema'
import { call, router, verifiedProcedure } from '../../core/procedures.ts'
import { createKey, listKeys, revokeKey, getCaller } from './service.ts'

const verified = verifiedProcedure('never')

export const keysRouter = router({
  caller: verifiedProcedure('any').query(call(getCaller)),
  list: verified.query(call(listKeys)),
  create: verifiedProcedure('never', { creates: true }).input(CreateKeyInput).mutation(call(createKey)),
  revoke: verified.input(IdParam).mutation(call(revokeKey)),
})
