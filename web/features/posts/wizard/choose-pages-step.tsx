import { platforms } from '@flashsheet/contracts/networks'
import { socialMessages } from '@flashsheet/contracts/social/messages'
import { Link2 } from 'lucide-react'
import { failureOf } from '../../../lib/failure.ts'
import { trpc } from '../../../lib/trpc.ts'
import { Alert } from '../../../ui/alert.tsx'
import { ButtonLink } from '../../../ui/button-link.tsx'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Loading, SkeletonBlocks } from '../../../ui/skeleton.tsx'
import styles from './choose-pages-step.module.css'
import { RetryAlert } from '../../parts/retry-alert.tsx'
import { connectedPages } from '../../social/connected-pages.ts'
import { removeDisconnectedPages, pageKey, pageRefusal, togglePage } from '../draft/draft.ts'
import { PageGroup, type PageChoice } from './page-group.tsx'
import { BackButton, StepNavigationBar } from './step-bar.tsx'
import { StepHeading } from './step-heading.tsx'
import { useAllowances } from '../parts/use-allowances.ts'
import type { DraftProps, StepProps } from '../draft/use-draft.ts'

/** Step 2: which pages the post goes to. */
export function ChoosePagesStep({ draft, update, aside, focused, incompleteReason, onGo }: StepProps) {
  const accounts = trpc.social.accounts.useQuery()
  const choices = accounts.data && connectedPages(accounts.data)
  const known = choices && new Set(choices.map(pageKey))
  const disconnected = known ? draft.pages.filter((page) => !known.has(pageKey(page))) : []
  const reason =
    incompleteReason ??
    (disconnected.length > 0 && disconnected.length === draft.pages.length ? 'Please pick at least one page.' : null)

  return (
    <>
      <StepHeading title="Select Social Accounts" focused={focused} aside={aside}>
        Where should it appear?
      </StepHeading>
      {disconnected.length > 0 && (
        <Alert tone="warning" live>
          {disconnected.map((page) => page.name).join(', ')} {disconnected.length === 1 ? 'is' : 'are'} no longer
          connected and will be left out.
        </Alert>
      )}
      {choices ? (
        <Choices choices={choices} draft={draft} update={update} />
      ) : accounts.error ? (
        <RetryAlert
          live
          failure={{ ...failureOf(accounts.error, ''), message: socialMessages.wizardLoadFailed }}
          onRetry={() => void accounts.refetch()}
          pending={accounts.isFetching}
        />
      ) : (
        <LoadingPages />
      )}
      <StepNavigationBar
        back={<BackButton onPress={() => onGo(1)} />}
        onNext={() => {
          if (known) update((now) => removeDisconnectedPages(now, known))
          onGo(3)
        }}
        disabledReason={choices ? reason : ''}
      />
    </>
  )
}

function Choices({ choices, draft, update }: DraftProps & { choices: readonly PageChoice[] }) {
  const allowances = useAllowances(choices, draft)
  if (choices.length === 0) {
    return (
      <EmptyState
        icon={<Link2 />}
        title={socialMessages.wizardNoneConnected}
        action={
          <ButtonLink variant="primary" to="/social-accounts">
            Connect accounts
          </ButtonLink>
        }
      >
        <p>Connect the pages you post to. Your pictures stay picked meanwhile.</p>
      </EmptyState>
    )
  }
  const picked = new Set(draft.pages.map(pageKey))
  const groups = platforms
    .map((platform) => ({ platform, pages: choices.filter((page) => page.platform === platform) }))
    .filter(({ pages }) => pages.length > 0)
  const available = choices.filter((page) => pageRefusal(draft, page.platform) === null)
  const allPicked = available.every((page) => picked.has(pageKey(page)))
  const pickAll = () =>
    update((now) =>
      available
        .filter((page) => allPicked === picked.has(pageKey(page)))
        .reduce((next, page) => togglePage(next, page), now),
    )
  return (
    <div className={styles['choices']}>
      {available.length > 1 && (
        <div className={styles['all']}>
          <Button size="small" variant="quiet" onPress={pickAll}>
            {allPicked ? 'Clear all' : 'Select all'}
          </Button>
        </div>
      )}
      {groups.map(({ platform, pages }) => (
        <PageGroup
          key={platform}
          platform={platform}
          pages={pages}
          picked={picked}
          refusal={pageRefusal(draft, platform)}
          allowances={allowances}
          onToggle={({ socialAccountId, pageId, name }) =>
            update((now) => togglePage(now, { platform, socialAccountId, pageId, name }))
          }
        />
      ))}
    </div>
  )
}

function LoadingPages() {
  return (
    <Loading label={socialMessages.wizardLoading}>
      <p className={styles['loading']}>{socialMessages.wizardLoading}</p>
      <div className={styles['choices']} aria-hidden="true">
        <SkeletonBlocks count={3} frame={styles['ghost']} />
      </div>
    </Loading>
  )
}
