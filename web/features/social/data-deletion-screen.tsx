import { socialMessages } from '@flashsheet/contracts/social/messages'
import { failureOf } from '../../lib/failure.ts'
import { formatStamp } from '../../lib/format.ts'
import { retryInterval } from '../../lib/query-client.ts'
import { trpc } from '../../lib/trpc.ts'
import { ButtonLink } from '../../ui/button-link.tsx'
import { Button } from '../../ui/button.tsx'
import { NoticePage } from '../parts/notice-page.tsx'
import { ScreenPending } from '../parts/screen-pending.tsx'

const pollMs = 10_000

/** The status of a data deletion that was requested at Meta. */
export function DataDeletionScreen({ code }: { code: string }) {
  const status = trpc.social.deletionStatus.useQuery(
    { code },
    { refetchInterval: (query) => retryInterval(query) || (query.state.data?.isDone === false ? pollMs : false) },
  )
  if (status.isPending) return <ScreenPending />
  if (status.isError) {
    const failure = failureOf(status.error, 'The request could not be looked up.')
    return (
      <NoticePage
        motif="bolt"
        title={failure.message}
        actions={
          failure.message === socialMessages.unknownDeletion ? (
            <ButtonLink to="/contact">Contact us</ButtonLink>
          ) : (
            <Button onPress={() => void status.refetch()}>Try again</Button>
          )
        }
      >
        <p>{failure.detail ?? 'Please check the address, or ask for the deletion again in your settings there.'}</p>
      </NoticePage>
    )
  }
  const { network, requestedAt, isDone } = status.data
  return (
    <NoticePage
      motif={isDone ? 'moon' : 'candle'}
      title={isDone ? 'Your data was deleted' : 'Your data is being deleted'}
      actions={<ButtonLink to="/privacy-policy">Privacy Policy</ButtonLink>}
    >
      <p>
        {network} sent us your request on {formatStamp(requestedAt)}.{' '}
        {isDone ? 'Your data from there was deleted' : 'We are deleting your data from there'}: your name and pages, the
        keys we posted with, what was planned, and the texts and links of what was posted.
        {!isDone && ' What is being posted at this moment finishes first; it takes a day at most.'}
      </p>
      <p>
        Confirmation code: <strong>{code}</strong>
      </p>
    </NoticePage>
  )
}
