import { Select } from '../../../ui/select.tsx'
import { Switch } from '../../../ui/switch.tsx'
import {
  pageKey,
  setTiktok,
  setYoutube,
  tiktokChoiceOf,
  togglePage,
  youtubeChoiceOf,
  type SelectedPage,
} from '../draft/draft.ts'
import { TiktokOptions } from './tiktok-options.tsx'
import type { CreatorAnswer } from '../parts/use-creators.ts'
import type { StepProps } from '../draft/use-draft.ts'

/** What a network must be told beside the words: TikTok's form, YouTube's audience. Nothing for the others. */
export function PageOptions({
  page,
  draft,
  update,
  creator,
}: StepProps & { page: SelectedPage; creator: CreatorAnswer | undefined }) {
  const key = pageKey(page)
  if (page.platform === 'tiktok') {
    return (
      <TiktokOptions
        pageKey={key}
        answer={creator}
        choice={tiktokChoiceOf(draft, key)}
        onChange={(patch) => update((now) => setTiktok(now, key, patch))}
        onLeaveOut={() => update((now) => togglePage(now, page))}
        seconds={draft.media.find((item) => item.type === 'video')?.duration ?? null}
      />
    )
  }
  if (page.platform !== 'youtube') return null
  const { privacyStatus, madeForKids } = youtubeChoiceOf(draft, key)
  return (
    <>
      <Select
        label="Visibility"
        value={privacyStatus}
        onChange={(next) => update((now) => setYoutube(now, key, { privacyStatus: next }))}
        options={[
          { value: 'public', label: 'Public', description: 'Everyone can find and watch it' },
          { value: 'unlisted', label: 'Unlisted', description: 'Everyone with the link can watch it' },
          { value: 'private', label: 'Private', description: 'Only you and people you choose' },
        ]}
      />
      <Switch
        on={madeForKids}
        onChange={(next) => update((now) => setYoutube(now, key, { madeForKids: next }))}
        description="YouTube asks this of every video. Videos made for kids have no comments."
      >
        Made for kids
      </Switch>
    </>
  )
}
