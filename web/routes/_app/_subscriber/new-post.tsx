import { createFileRoute } from '@tanstack/react-router'
import { draftOf, tidyDraft } from '../../../features/posts/draft-store.ts'
import { NewPostScreen } from '../../../features/posts/new-post-screen.tsx'
import { titled } from '../../../features/shell/titled.ts'

export const Route = createFileRoute('/_app/_subscriber/new-post')({
  ...titled('New Posts'),
  component: NewPostScreen,
  onLeave: ({ context }) => {
    const user = context.trpc.auth.me.getData()
    if (user) tidyDraft(draftOf(user._id))
  },
})
