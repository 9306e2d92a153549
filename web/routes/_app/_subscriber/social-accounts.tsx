import { platforms } from '@flashsheet/contracts/networks'
import { createFileRoute } from '@tanstack/react-router'
import { routeTitle } from '../../../features/parts/route-head.ts'
import { WaitingPost } from '../../../features/posts/parts/waiting-post.tsx'
import { SocialAccountsScreen } from '../../../features/social/social-accounts-screen.tsx'
import { oneOf } from '../../../lib/read-stored-json.ts'
import { searchValidator, text } from '../../../lib/search.ts'

export const Route = createFileRoute('/_app/_subscriber/social-accounts')({
  ...routeTitle('Social Accounts'),
  // The result of connecting, from a network's redirect.
  validateSearch: searchValidator({ connected: oneOf(platforms), error: text(300) }),
  component: SocialAccounts,
  onLeave: () => {
    const { pathname } = window.location
    void import('../../../features/posts/draft/plan-at.ts').then(({ clearPlannedTime }) => clearPlannedTime(pathname))
  },
})

function SocialAccounts() {
  const { connected, error } = Route.useSearch()
  return <SocialAccountsScreen connected={connected} error={error} returnLink={<WaitingPost />} />
}
