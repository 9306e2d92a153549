import { createFileRoute } from '@tanstack/react-router'
import { NotHereYet } from '../../features/shell/not-here-yet.tsx'
import { titled } from '../../features/shell/titled.ts'
import { ButtonLink } from '../../ui/button-link.tsx'

export const Route = createFileRoute('/_public/blog')({
  ...titled('Blog'),
  component: () => (
    <NotHereYet motif="moth" what="The blog is" actions={<ButtonLink to="/">Go to the start page</ButtonLink>}>
      <p>Nothing has been written so far.</p>
    </NotHereYet>
  ),
})
