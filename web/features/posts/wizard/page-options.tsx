import type { Platform } from '@flashsheet/contracts/networks'
import type { ComponentType } from 'react'
import { Select } from '../../../ui/select.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { pageKey, setYoutube, youtubeChoiceOf } from '../draft/draft.ts'
import { TiktokOptions } from './tiktok-options.tsx'
import type { PageOptionsProps } from '../parts/use-creators.ts'

const forms: Partial<Record<Platform, ComponentType<PageOptionsProps>>> = {
  tiktok: TiktokOptions,
  youtube: YoutubePageOptions,
}

/** The network's options of a page; nothing if the network has none. */
export function PageOptions(props: PageOptionsProps) {
  const Form = forms[props.page.platform]
  return Form && <Form {...props} />
}

function YoutubePageOptions({ page, draft, update }: PageOptionsProps) {
  const key = pageKey(page)
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
