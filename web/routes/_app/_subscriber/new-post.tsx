import { createFileRoute } from '@tanstack/react-router'
import { NewPostScreen } from '../../../features/posts/wizard/new-post-screen.tsx'
import { routeTitle } from '../../../features/parts/route-head.ts'
import { searchValidator, integer } from '../../../lib/search.ts'

export const Route = createFileRoute('/_app/_subscriber/new-post')({
  ...routeTitle('New Posts'),
  // `step` is absent for step 1.
  validateSearch: searchValidator({ step: integer(2, 4) }),
  component: NewPostScreen,
  onLeave: ({ context }) => {
    const { pathname } = window.location
    void import('../../../features/posts/draft/plan-at.ts').then(({ clearPlannedTime }) => clearPlannedTime(pathname))
    const user = context.trpc.auth.me.getData()
    // A dynamic import keeps the module out of the first bundle; the screen has loaded it by now.
    if (user)
      void import('../../../features/posts/draft/draft-store.ts').then(({ draftOf, replaceFinishedDraft }) =>
        replaceFinishedDraft(draftOf(user._id)),
      )
  },
})
