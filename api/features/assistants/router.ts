import { AssistantParam, ConsentInput } from '@flashsheet/contracts/assistants/schema'
import { router, verifiedProcedure } from '../../core/procedures.ts'
import { disconnectAssistant, listAssistants } from './service/connected.ts'
import { giveConsent, readConsentRequest } from './service/consent.ts'

export const assistantsRouter = router({
  list: verifiedProcedure('never').query(({ ctx }) => listAssistants(ctx)),
  disconnect: verifiedProcedure('never')
    .input(AssistantParam)
    .mutation(({ ctx, input }) => disconnectAssistant(ctx, input)),
  consentRequest: verifiedProcedure('never')
    .input(ConsentInput)
    .query(({ ctx, input }) => readConsentRequest(ctx, input)),
  giveConsent: verifiedProcedure('never')
    .input(ConsentInput)
    .mutation(({ ctx, input }) => giveConsent(ctx, input)),
})
