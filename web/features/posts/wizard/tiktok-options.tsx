import { failureOf } from '../../../lib/failure.ts'
import { Alert } from '../../../ui/alert.tsx'
import { ButtonLink } from '../../../ui/button-link.tsx'
import { Button } from '../../../ui/button.tsx'
import { Loading, Skeleton } from '../../../ui/skeleton.tsx'
import layout from '../../../ui/layout.module.css'
import styles from './tiktok-options.module.css'
import { pageKey, setTiktok, tiktokChoiceOf, togglePage } from '../draft/draft.ts'
import { TiktokForm } from './tiktok-form.tsx'
import { tiktokFieldId, durationRefusal } from '../draft/tiktok-rules.ts'
import type { PageOptionsProps } from '../parts/use-creators.ts'

/** TikTok's form, or its skeleton or failure until the creator's choices are loaded. */
export function TiktokOptions({ page, draft, update, creator }: PageOptionsProps) {
  const key = pageKey(page)
  const info = creator?.data
  if (!info) {
    if (!creator?.error) return <Pending />
    const failure = failureOf(creator.error, 'TikTok could not be asked what this account may post.')
    return (
      <div id={tiktokFieldId(key, 'privacy')}>
        <Alert
          tone="danger"
          live
          title={failure.message}
          action={
            <>
              <Button size="small" onPress={() => void creator.refetch()} pending={creator.isFetching}>
                Try again
              </Button>
              <ButtonLink size="small" variant="quiet" to="/social-accounts">
                Social Accounts
              </ButtonLink>
            </>
          }
        >
          {failure.detail ?? 'TikTok has to tell us who may see this video before we can post it.'}
        </Alert>
      </div>
    )
  }
  const seconds = draft.media.find((item) => item.type === 'video')?.duration ?? null
  const refusal = info.blocked ?? durationRefusal(seconds, info)
  return (
    <div className={layout['stack-5']}>
      {refusal && (
        <div id={tiktokFieldId(key, 'refusal')}>
          <Alert
            tone="danger"
            live
            title={refusal}
            action={
              <Button size="small" onPress={() => update((now) => togglePage(now, page))}>
                Leave this page out
              </Button>
            }
          />
        </div>
      )}
      {info.blocked === null && (
        <TiktokForm
          pageKey={key}
          creator={info}
          choice={tiktokChoiceOf(draft, key)}
          onChange={(patch) => update((now) => setTiktok(now, key, patch))}
        />
      )}
    </div>
  )
}

function Pending() {
  return (
    <Loading label="Asking TikTok what this account may post">
      <div className={styles['pending']}>
        <Skeleton width="half" />
        <Skeleton shape="block" />
        <Skeleton width="third" />
        <Skeleton width="third" />
      </div>
    </Loading>
  )
}
