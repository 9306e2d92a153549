import { CalendarPlus, ListFilter, Plus } from 'lucide-react'
import { ButtonLink } from '../../../ui/button-link.tsx'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'

/** `past`: the visible range is over. */
export function NoPosts({ past, variant = 'framed' }: { past: boolean; variant?: 'framed' | 'bare' | undefined }) {
  return (
    <EmptyState
      variant={variant}
      icon={<CalendarPlus />}
      title={past ? 'No posts in this period' : 'Nothing planned yet'}
      action={
        <ButtonLink to="/new-post" variant="primary" icon={<Plus />}>
          New post
        </ButtonLink>
      }
    >
      <p>The posts you schedule show up here, and so does everything that went out.</p>
    </EmptyState>
  )
}

/** Shown if the filter matches no post. */
export function NoMatchingPosts({
  variant = 'framed',
  onShowAll,
}: {
  variant?: 'framed' | 'bare' | undefined
  onShowAll: () => void
}) {
  return (
    <EmptyState
      variant={variant}
      icon={<ListFilter />}
      title="Nothing matches"
      action={<Button onPress={onShowAll}>Show all posts</Button>}
    >
      <p>No post here matches the network and status you picked.</p>
    </EmptyState>
  )
}
