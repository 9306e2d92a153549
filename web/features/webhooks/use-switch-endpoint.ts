import { webhookMessages } from '@flashsheet/contracts/webhooks/messages'
import { toastFailure } from '../../lib/toast-failure.ts'
import { trpc } from '../../lib/trpc.ts'
import { toast } from '../../ui/toast.tsx'

export function useSwitchEndpoint() {
  const utils = trpc.useUtils()
  return trpc.webhooks.update.useMutation({
    onSuccess: ({ _id, active }) =>
      toast.about(`endpoint ${_id}`).success(active ? webhookMessages.switchedOn : webhookMessages.switchedOffNow),
    onError: (error) => toastFailure(error, webhookMessages.saveFailed),
    onSettled: async () => await utils.webhooks.invalidate(),
  })
}
