import { IdParam } from '@flashsheet/contracts/input'
import { ConsentInput } from '@flashsheet/contracts/assistants/schema'
import { call, router, verifiedProcedure } from '../../core/procedures.ts'
import { disconnectAssistant, listAssistants } from './service/grants.ts'
import { giveConsent, readConsentRequest } from './service/consent.ts'

const verified = verifiedProcedure('never')

export const assistantsRouter = router({
  list: verified.query(call(listAssistants)),
  disconnect: verified.input(IdParam).mutation(call(disconnectAssistant)),
  consentRequest: verified.input(ConsentInput).query(call(readConsentRequest)),
  giveConsent: verified.input(ConsentInput).mutation(call(giveConsent)),
})
