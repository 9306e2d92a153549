import { createFileRoute } from '@tanstack/react-router'
import { NotHereYet } from '../../../features/shell/not-here-yet.tsx'
import { titled } from '../../../features/shell/titled.ts'
import { ButtonLink } from '../../../ui/button-link.tsx'

export const Route = createFileRoute('/_app/_subscriber/media')({
  ...titled('Media'),
  component: () => (
    <NotHereYet motif="eye" what="The media library screen is" actions={<ButtonLink to="/new-post" variant="primary">New Post</ButtonLink>}>
      <p>What you upload for a post is kept, and you find it again under Media Library when you make the next one.</p>
    </NotHereYet>
  ),
})
