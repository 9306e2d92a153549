import { createFileRoute } from '@tanstack/react-router'
import { NotHereYet } from '../../../features/shell/not-here-yet.tsx'
import { titled } from '../../../features/shell/titled.ts'
import { ButtonLink } from '../../../ui/button-link.tsx'

export const Route = createFileRoute('/_app/_subscriber/website-builder')({
  ...titled('Website Builder'),
  component: () => (
    <NotHereYet motif="anchor" what="The website builder is" actions={<ButtonLink to="/new-post" variant="primary">New Post</ButtonLink>}>
      <p>It comes with one of the next versions.</p>
    </NotHereYet>
  ),
})
