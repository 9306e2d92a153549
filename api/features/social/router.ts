import {
  CreatorInfoInput,
  DeletionParam,
  SocialAccountParam,
  SocialPageParam,
} from '@flashsheet/contracts/social/schema'
import { publicProcedure, router, subscriberProcedure } from '../../core/procedures.ts'
import { disconnect, listAccounts, listPlatforms, removePage } from './service/accounts.ts'
import { creatorInfo } from './service/publishing.ts'
import { deletionStatus } from './service/removals.ts'
import { refreshToken } from './service/tokens.ts'

export const socialRouter = router({
  platforms: subscriberProcedure.query(({ ctx }) => listPlatforms(ctx)),
  accounts: subscriberProcedure.query(({ ctx }) => listAccounts(ctx)),
  disconnect: subscriberProcedure.input(SocialAccountParam).mutation(({ ctx, input }) => disconnect(ctx, input)),
  removePage: subscriberProcedure.input(SocialPageParam).mutation(({ ctx, input }) => removePage(ctx, input)),
  refreshToken: subscriberProcedure.input(SocialAccountParam).mutation(({ ctx, input }) => refreshToken(ctx, input)),
  deletionStatus: publicProcedure.input(DeletionParam).query(({ ctx, input }) => deletionStatus(ctx, input)),
  creatorInfo: subscriberProcedure.input(CreatorInfoInput).query(({ ctx, input }) => creatorInfo(ctx, input)),
})
