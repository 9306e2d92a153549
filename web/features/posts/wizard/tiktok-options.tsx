import { Alert } from '../../../ui/alert.tsx'
import { ButtonLink } from '../../../ui/button-link.tsx'
import { Button } from '../../../ui/button.tsx'
import { Loading, Skeleton } from '../../../ui/skeleton.tsx'
import layout from '../../../ui/layout.module.css'
import styles from './tiktok-options.module.css'
import { TiktokForm, type TiktokFormProps } from './tiktok-form.tsx'
import { tiktokFieldId, durationRefusal } from '../draft/tiktok-rules.ts'
import type { CreatorAnswer } from '../parts/use-creators.ts'

export type TiktokOptionsProps = Pick<TiktokFormProps, 'pageKey' | 'choice' | 'onChange'> & {
  answer: CreatorAnswer | undefined
  onLeaveOut: () => void
  /** Length of the picked video; null until known. */
  seconds: number | null
}

/** TikTok's form, or its skeleton or failure until the creator's choices are loaded. */
export function TiktokOptions({ pageKey, answer, choice, onChange, onLeaveOut, seconds }: TiktokOptionsProps) {
  const info = answer?.info
  if (!info) {
    if (!answer?.failure) return <Pending />
    return (
      <div id={tiktokFieldId(pageKey, 'privacy')}>
        <Alert
          tone="danger"
          live
          title={answer.failure.message}
          action={
            <>
              <Button size="small" onPress={answer.retry} pending={answer.isLoading}>
                Try again
              </Button>
              <ButtonLink size="small" variant="quiet" to="/social-accounts">
                Social Accounts
              </ButtonLink>
            </>
          }
        >
          {answer.failure.detail ?? 'TikTok has to tell us who may see this video before we can post it.'}
        </Alert>
      </div>
    )
  }
  const refusal = info.blocked ?? durationRefusal(seconds, info)
  return (
    <div className={layout['stack-5']}>
      {refusal && (
        <div id={tiktokFieldId(pageKey, 'refusal')}>
          <Alert
            tone="danger"
            live
            title={refusal}
            action={
              <Button size="small" onPress={onLeaveOut}>
                Leave this page out
              </Button>
            }
          />
        </div>
      )}
      {info.blocked === null && <TiktokForm pageKey={pageKey} creator={info} choice={choice} onChange={onChange} />}
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
