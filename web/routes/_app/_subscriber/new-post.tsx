import { createFileRoute } from '@tanstack/react-router'
import { NewPostScreen } from '../../../features/posts/new-post-screen.tsx'
import { titled } from '../../../features/shell/titled.ts'

export const Route = createFileRoute('/_app/_subscriber/new-post')({
  ...titled('New Posts'),
  component: NewPostScreen,
  onLeave: ({ context }) => {
    const user = context.trpc.auth.me.getData()
    // The screen has loaded it by now; the list of routes need not.
    if (user) void import('../../../features/posts/draft-store.ts').then(({ draftOf, tidyDraft }) => tidyDraft(draftOf(user._id)))
  },
})
