import { networks } from '@flashsheet/contracts/networks'
import { trpc } from '../../../lib/trpc.ts'
import { pageKey, type Draft, type SelectedPage } from '../draft/draft.ts'
import type { DraftProps } from '../draft/use-draft.ts'

/** The queries of TikTok's answers about the creators of the picked pages, by page key. */
export type Creators = ReturnType<typeof useCreators>
/** The props of a form for the options of a page. */
export type PageOptionsProps = DraftProps & { page: SelectedPage; creator: ReturnType<Creators['get']> }

/** TikTok's answer for each picked TikTok page, from step 3 on. TikTok requires that its form offers only what the creator may choose. */
export function useCreators(draft: Draft) {
  const pages = draft.step >= 3 ? draft.pages.filter((page) => networks[page.platform].asksCreator) : []
  const queries = trpc.useQueries((t) =>
    pages.map((page) =>
      t.social.creatorInfo({ socialAccountId: page.socialAccountId }, { staleTime: 60_000, retry: 1 }),
    ),
  )
  return new Map(pages.map((page, at) => [pageKey(page), queries[at]]))
}
