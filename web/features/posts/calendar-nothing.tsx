import { CalendarPlus, Plus } from 'lucide-react'
import { ButtonLink } from '../../ui/button-link.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'

/** No posts in what is on the screen: says so, and leads to a new one. `past`: nothing can be planned there any more. */
export function NothingHere({ past, look = 'framed' }: { past: boolean; look?: 'framed' | 'bare' }) {
  return (
    <EmptyState
      look={look}
      icon={<CalendarPlus />}
      title={past ? 'No posts in this time' : 'Nothing planned yet'}
      action={
        <ButtonLink to="/new-post" variant="primary" icon={<Plus aria-hidden="true" />}>
          New post
        </ButtonLink>
      }
    >
      <p>Posts you schedule and posts that went out stand here, each at its time.</p>
    </EmptyState>
  )
}
