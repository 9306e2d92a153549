import { webhookMessages } from '@flashsheet/contracts/webhooks/messages'
import { failureOf } from '../../lib/failure.ts'
import { trpc } from '../../lib/trpc.ts'
import { toast } from '../../ui/toast.tsx'

export function useSwitchEndpoint() {
  const utils = trpc.useUtils()
  return trpc.webhooks.update.useMutation({
    onSuccess: ({ active }) => toast.success(active ? webhookMessages.switchedOn : webhookMessages.switchedOffNow),
    onError: (error) => {
      const failure = failureOf(error, webhookMessages.saveFailed)
      toast.error(failure.message, failure.detail)
    },
    onSettled: async () => await utils.webhooks.invalidate(),
  })
}
