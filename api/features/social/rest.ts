import { Message } from '@flashsheet/contracts/auth/schema'
import {
  Network,
  PlatformDescriptor,
  SocialAccount,
  SocialAccountParam,
  SocialPageParam,
} from '@flashsheet/contracts/social/schema'
import { z } from 'zod'
import { rawRow, row, type HttpContext, type RestRow } from '../../core/rest.ts'
import { disconnect, listAccounts, listNetworks, listPlatforms, removePage } from './service/accounts.ts'
import { finishConnecting, startConnecting } from './service/connect.ts'
import { servePicture } from './service/page-pictures.ts'
import { refreshToken } from './service/tokens.ts'
import { metaDataDeletion, metaDeauthorize } from './webhook.ts'

const isBrowser = (c: HttpContext) => (c.req.header('accept') ?? '').includes('text/html')

export const socialRest: readonly RestRow[] = [
  row({
    method: 'GET',
    path: '/api/networks',
    guard: 'public',
    key: 'any',
    answer: z.array(Network),
    input: z.object({}),
    run: async (ctx) => listNetworks(ctx),
  }),
  row({
    method: 'GET',
    path: '/api/socials',
    guard: 'subscriber',
    key: 'accounts:read',
    answer: z.array(PlatformDescriptor),
    input: z.object({}),
    run: async (ctx) => listPlatforms(ctx),
  }),
  row({
    method: 'GET',
    path: '/api/social-accounts',
    guard: 'subscriber',
    key: 'accounts:read',
    answer: z.array(SocialAccount),
    input: z.object({}),
    run: listAccounts,
  }),
  row({
    method: 'DELETE',
    path: '/api/social-accounts/:id',
    guard: 'subscriber',
    key: 'never',
    answer: Message,
    input: SocialAccountParam,
    run: disconnect,
  }),
  row({
    method: 'DELETE',
    path: '/api/social-accounts/:accountId/pages/:pageId',
    guard: 'subscriber',
    key: 'never',
    answer: Message,
    input: SocialPageParam,
    run: removePage,
  }),
  row({
    method: 'PUT',
    path: '/api/social-accounts/:id/token',
    guard: 'subscriber',
    key: 'never',
    answer: SocialAccount,
    input: SocialAccountParam,
    run: refreshToken,
  }),
  rawRow({
    method: 'GET',
    path: '/files/page-pictures/:id/:file',
    guard: 'signedIn',
    key: 'accounts:read',
    answer: { status: 200, is: 'bytes' },
    takes: 'nothing',
    run: servePicture,
  }),
  rawRow({
    method: 'POST',
    path: '/api/webhooks/meta/deauthorize',
    guard: 'public',
    key: 'never',
    answer: { status: 200, is: 'nothing' },
    takes: 'webhook',
    run: metaDeauthorize,
  }),
  rawRow({
    method: 'POST',
    path: '/api/webhooks/meta/data-deletion',
    guard: 'public',
    key: 'never',
    answer: { status: 200, is: 'nothing' },
    takes: 'webhook',
    run: metaDataDeletion,
  }),
  // The service checks the guard of these two: browsers are redirected to a screen with a message instead of JSON.
  rawRow({
    method: 'GET',
    path: '/api/social-connect/:platform',
    guard: 'public',
    key: 'never',
    answer: { status: 302, is: 'nothing' },
    takes: 'nothing',
    run: async (ctx, c) =>
      c.redirect(await startConnecting(ctx, { platform: c.req.param('platform') ?? '', isBrowser: isBrowser(c) })),
  }),
  rawRow({
    method: 'GET',
    path: '/api/social-connect/:platform/callback',
    guard: 'public',
    key: 'never',
    answer: { status: 302, is: 'nothing' },
    takes: 'nothing',
    run: async (ctx, c) => {
      const { code, state, error } = c.req.query()
      return c.redirect(await finishConnecting(ctx, { platform: c.req.param('platform') ?? '', code, state, error }))
    },
  }),
]
