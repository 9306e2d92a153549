import { Message } from '@flashsheet/contracts/auth/schema'
import {
  Network,
  PlatformDescriptor,
  SocialAccount,
  SocialAccountParam,
  SocialPageParam,
} from '@flashsheet/contracts/social/schema'
import { z } from 'zod'
import { fileRow, redirectRow, row, rowFor, webhookRow, type HttpContext, type RestRow } from '../../core/rest.ts'
import { disconnect, listAccounts, listNetworks, listPlatforms, removePage } from './service/accounts.ts'
import { finishConnecting, startConnecting } from './service/connect.ts'
import { servePicture } from './service/page-pictures.ts'
import { refreshToken } from './service/tokens.ts'
import { metaDataDeletion, metaDeauthorize } from './webhook.ts'

const isBrowser = (c: HttpContext) => (c.req.header('accept') ?? '').includes('text/html')

const subscriberToRead = rowFor('subscriber', 'accounts:read')
const subscriber = rowFor('subscriber', 'never')

export const socialRest: readonly RestRow[] = [
  row('GET /api/networks', 'public', 'any', { answer: z.array(Network), run: async (ctx) => listNetworks(ctx) }),
  subscriberToRead('GET /api/socials', { answer: z.array(PlatformDescriptor), run: async (ctx) => listPlatforms(ctx) }),
  subscriberToRead('GET /api/social-accounts', { answer: z.array(SocialAccount), run: listAccounts }),
  subscriber('DELETE /api/social-accounts/:id', { input: SocialAccountParam, answer: Message, run: disconnect }),
  subscriber('DELETE /api/social-accounts/:accountId/pages/:pageId', {
    input: SocialPageParam,
    answer: Message,
    run: removePage,
  }),
  subscriber('PUT /api/social-accounts/:id/token', {
    input: SocialAccountParam,
    answer: SocialAccount,
    run: refreshToken,
  }),
  fileRow('GET /files/page-pictures/:id/:file', 'signedIn', 'accounts:read', servePicture),
  webhookRow('POST /api/webhooks/meta/deauthorize', metaDeauthorize),
  webhookRow('POST /api/webhooks/meta/data-deletion', metaDataDeletion),
  // The service checks the guard of these two, because browsers are redirected to a screen instead of getting JSON.
  redirectRow(
    'GET /api/social-connect/:platform',
    async (ctx, c) => await startConnecting(ctx, { platform: c.req.param('platform') ?? '', isBrowser: isBrowser(c) }),
  ),
  redirectRow('GET /api/social-connect/:platform/callback', async (ctx, c) => {
    const { code, state, error } = c.req.query()
    return await finishConnecting(ctx, { platform: c.req.param('platform') ?? '', code, state, error })
  }),
]
