import { createFileRoute } from '@tanstack/react-router'
import { NotHereYet } from '../../features/shell/not-here-yet.tsx'
import { titled } from '../../features/shell/titled.ts'
import { ButtonLink } from '../../ui/button-link.tsx'

export const Route = createFileRoute('/_app/settings')({
  ...titled('Settings'),
  component: () => (
    <NotHereYet motif="horseshoe" what="Settings are" actions={<ButtonLink to="/new-post" variant="primary">New Post</ButtonLink>}>
      <p>They come with one of the next versions.</p>
    </NotHereYet>
  ),
})
