import { AssistantParam, ConsentInput } from '@flashsheet/contracts/assistants/schema'
import { router, verifiedProcedure } from '../../core/procedures.ts'
import { disconnectAssistant, listAssistants } from './service/connected.ts'
import { giveConsent, readConsentRequest } from './service/consent.ts'

const verified = verifiedProcedure('never')

export const assistantsRouter = router({
  list: verified.query(({ ctx }) => listAssistants(ctx)),
  disconnect: verified.input(AssistantParam).mutation(({ ctx, input }) => disconnectAssistant(ctx, input)),
  consentRequest: verified.input(ConsentInput).query(({ ctx, input }) => readConsentRequest(ctx, input)),
  giveConsent: verified.input(ConsentInput).mutation(({ ctx, input }) => giveConsent(ctx, input)),
})
