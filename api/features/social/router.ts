import {
  CreatorInfoInput,
  DeletionParam,
  SocialAccountParam,
  SocialPageParam,
} from '@flashsheet/contracts/social/schema'
import { publicProcedure, router, subscriberProcedure } from '../../core/procedures.ts'
import { disconnect, listAccounts, listNetworks, listPlatforms, removePage } from './service/accounts.ts'
import { creatorInfo } from './service/publishing.ts'
import { deletionStatus } from './service/removals.ts'
import { refreshToken } from './service/tokens.ts'

export const socialRouter = router({
  networks: publicProcedure('any').query(({ ctx }) => listNetworks(ctx)),
  platforms: subscriberProcedure('accounts:read').query(({ ctx }) => listPlatforms(ctx)),
  accounts: subscriberProcedure('accounts:read').query(({ ctx }) => listAccounts(ctx)),
  disconnect: subscriberProcedure('never')
    .input(SocialAccountParam)
    .mutation(({ ctx, input }) => disconnect(ctx, input)),
  removePage: subscriberProcedure('never')
    .input(SocialPageParam)
    .mutation(({ ctx, input }) => removePage(ctx, input)),
  refreshToken: subscriberProcedure('never')
    .input(SocialAccountParam)
    .mutation(({ ctx, input }) => refreshToken(ctx, input)),
  deletionStatus: publicProcedure('any')
    .input(DeletionParam)
    .query(({ ctx, input }) => deletionStatus(ctx, input)),
  creatorInfo: subscriberProcedure('accounts:read')
    .input(CreatorInfoInput)
    .query(({ ctx, input }) => creatorInfo(ctx, input)),
})
