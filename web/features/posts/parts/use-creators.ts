import { networks } from '@flashsheet/contracts/networks'
import type { TiktokCreatorInfo } from '@flashsheet/contracts/social/schema'
import { failureOf, type Failure } from '../../../lib/failure.ts'
import { trpc } from '../../../lib/trpc.ts'
import { pageKey, type Draft, type SelectedPage } from '../draft/draft.ts'
import type { DraftProps } from '../draft/use-draft.ts'

/** TikTok's answer about the creator of a page, or the failure. */
export type CreatorAnswer = {
  info: TiktokCreatorInfo | undefined
  failure: Failure | null
  isLoading: boolean
  retry: () => void
}

/** The props of a form for the options of a page. */
export type PageOptionsProps = DraftProps & { page: SelectedPage; creator: CreatorAnswer | undefined }

/** TikTok's answer for each picked TikTok page, from step 3 on. TikTok requires that its form offers only what the creator may choose. */
export function useCreators(draft: Draft): ReadonlyMap<string, CreatorAnswer> {
  const pages = draft.step >= 3 ? draft.pages.filter((page) => networks[page.platform].asksCreator) : []
  const answers = trpc.useQueries((t) =>
    pages.map((page) =>
      t.social.creatorInfo({ socialAccountId: page.socialAccountId }, { staleTime: 60_000, retry: 1 }),
    ),
  )
  return new Map(
    pages.map((page, at): [string, CreatorAnswer] => {
      const answer = answers[at]
      return [
        pageKey(page),
        {
          info: answer?.data,
          failure: answer?.error
            ? failureOf(answer.error, 'TikTok could not be asked what this account may post.')
            : null,
          isLoading: answer?.isFetching ?? true,
          retry: () => void answer?.refetch(),
        },
      ]
    }),
  )
}
