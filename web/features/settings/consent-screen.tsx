import { assistantMessages } from '@flashsheet/contracts/assistants/messages'
import { scopeLabels } from '@flashsheet/contracts/keys/messages'
import { failureOf } from '../../lib/failure.ts'
import { toastFailure } from '../../lib/toast-failure.ts'
import { trpc } from '../../lib/trpc.ts'
import { useIsMounted } from '../../lib/use-is-mounted.ts'
import { useSingleFlight } from '../../lib/use-single-flight.ts'
import { Alert, FailureAlert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { useRedirect } from '../subscription/use-portal.ts'
import text from '../../ui/text.module.css'
import layout from '../../ui/layout.module.css'
import styles from './consent-screen.module.css'
import { PendingQuery } from '../parts/pending-query.tsx'

/** /connect-assistant: asks the artist whether an assistant may act for them, in which scopes. */
export function ConsentScreen({ request }: { request: string }) {
  return (
    <div className={styles['screen']}>
      <Consent request={request} />
    </div>
  )
}

function Consent({ request }: { request: string }) {
  const consentRequest = trpc.assistants.consentRequest.useQuery({ request }, { retry: false })
  // To the assistant that sent the artist here.
  const [isRedirecting, redirectBack] = useRedirect()
  const isMounted = useIsMounted()
  const giveConsent = trpc.assistants.giveConsent.useMutation({
    onError: (error) => {
      if (!isMounted()) toastFailure(error, assistantMessages.approveFailed)
    },
    onSuccess: ({ backTo }) => redirectBack(backTo),
  })
  const connect = useSingleFlight(giveConsent.mutateAsync)
  const account = trpc.auth.me.useQuery()
  // Rendered with the request, because a note that appeared later would shift the text.
  const note = account.data && `It would act for ${account.data.name} (${account.data.email}).`
  const failure = consentRequest.error && failureOf(consentRequest.error, assistantMessages.readFailed)
  const approvalFailure = giveConsent.error && failureOf(giveConsent.error, assistantMessages.approveFailed)
  // Only an invalid request is refused for good.
  if (failure?.code === 'invalid')
    return (
      <Card title="This assistant cannot be connected">
        <Alert tone="danger" title={failure.message} />
      </Card>
    )
  if (!consentRequest.data)
    return (
      <Card title="Connect an assistant" note={note}>
        <PendingQuery
          query={consentRequest}
          label="Reading what the assistant asks for"
          failed={assistantMessages.readFailed}
        />
      </Card>
    )
  if ('refusal' in consentRequest.data) {
    const { refusal, host, backTo } = consentRequest.data
    return (
      <Card
        title="This assistant cannot be connected"
        foot={<Button onPress={() => redirectBack(backTo)}>{`Back to ${host}`}</Button>}
      >
        <Alert tone="danger" title={refusal} />
      </Card>
    )
  }
  const { name, host, scopes, backTo } = consentRequest.data
  return (
    <Card
      title={`Connect “${name}”?`}
      note={note}
      foot={
        <div className={layout['row-3']}>
          <Button isDisabled={giveConsent.isPending || isRedirecting} onPress={() => redirectBack(backTo)}>
            Cancel
          </Button>
          <Button
            variant="primary"
            pending={giveConsent.isPending || isRedirecting}
            onPress={() => connect({ request })}
          >
            Connect
          </Button>
        </div>
      }
    >
      <div className={styles['body']}>
        {approvalFailure && <FailureAlert failure={approvalFailure} />}
        <p>It could:</p>
        <ul className={styles['scopes']}>
          {scopes.map((scope) => (
            <li key={scope}>{scopeLabels[scope]}</li>
          ))}
        </ul>
        <p className={text['note']}>
          You will be sent back to <strong>{host}</strong>. The name is what the assistant calls itself: go on only if
          you have just asked it to connect. You can disconnect it in Settings, under Developers, at any time.
        </p>
      </div>
    </Card>
  )
}
