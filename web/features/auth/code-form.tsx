import { authFallbacks, authMessages } from '@flashsheet/contracts/auth/messages'
import { ConfirmCodeInput } from '@flashsheet/contracts/auth/schema'
import { useQueryClient } from '@tanstack/react-query'
import { toastFailure } from '../../lib/toast-failure.ts'
import { beginSession } from '../../lib/session.ts'
import { trpc } from '../../lib/trpc.ts'
import { useSingleFlight } from '../../lib/use-single-flight.ts'
import { fieldErrors } from '../../lib/validation.ts'
import { Button } from '../../ui/button.tsx'
import { Form } from '../../ui/form.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.tsx'
import { useForm } from '../../ui/use-form.ts'

/**
 * The six-digit code of the verification email, for people who read it on another device. On success it only starts the session;
 * `useVerifiedElsewhere` then navigates away.
 */
export function CodeForm({ email }: { email: string }) {
  const utils = trpc.useUtils()
  const queryClient = useQueryClient()
  const form = useForm({ code: '' }, ({ code }) => fieldErrors(ConfirmCodeInput, { email, code }))
  const confirm = trpc.auth.confirmCode.useMutation({
    onSuccess: async () => {
      // After the log-in, which closes the toasts of another user.
      const user = await utils.auth.me
        .fetch(undefined, { staleTime: 0 })
        .finally(() => toast.success(authMessages.verified))
      if (user) beginSession(queryClient, user)
    },
    onError: (error) => toastFailure(error, authFallbacks.verify, ({ fields }) => form.showErrors(fields)),
  })
  const send = useSingleFlight(confirm.mutateAsync)
  return (
    <Form onSubmit={form.submit(({ code }) => send({ email, code }))} aria-label="Enter the code">
      <TextField
        label="Six-digit code"
        autoComplete="one-time-code"
        inputMode="numeric"
        description="It is in the email, next to the link."
        {...form.field('code')}
      />
      <Button type="submit" variant="primary" size="large" wide pending={confirm.isPending || confirm.isSuccess}>
        Verify email
      </Button>
    </Form>
  )
}
