import { SocialAccount } from '@flashsheet/contracts/social/schema'
import { z } from 'zod'
import { toolFor, type Tool } from '../../core/tools.ts'
import { listAccounts } from './service/accounts.ts'

const readingTool = toolFor('subscriber', 'accounts:read', 'reads')

export const socialTools: readonly Tool[] = [
  readingTool({
    name: 'list_accounts',
    title: 'List accounts',
    description:
      'The connected accounts with their pages: where a post can go. A variant of a post names the `_id` of an account as `socialAccountId`, and one of its pages. An account whose `health` is `reconnect` takes no posts until the artist connects it again.',
    input: z.object({}),
    answer: z.object({ accounts: z.array(SocialAccount) }),
    run: async (ctx) => ({ accounts: await listAccounts(ctx) }),
  }),
]
