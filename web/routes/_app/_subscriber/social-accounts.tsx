import { platforms } from '@flashsheet/contracts/social'
import { createFileRoute } from '@tanstack/react-router'
import { z } from 'zod'
import { titled } from '../../../features/shell/titled.ts'
import { SocialAccountsScreen } from '../../../features/social/social-accounts-screen.tsx'

export const Route = createFileRoute('/_app/_subscriber/social-accounts')({
  ...titled('Social Accounts'),
  // What a network's redirect brings back (spec 2). A message of digits alone arrives as a number.
  validateSearch: z.object({
    connected: z.enum(platforms).optional().catch(undefined),
    error: z.coerce.string().max(300).optional().catch(undefined),
  }),
  component: SocialAccounts,
})

function SocialAccounts() {
  const { connected, error } = Route.useSearch()
  return <SocialAccountsScreen connected={connected} error={error} />
}
