import { CreatorInfoInput, SocialAccountParam, SocialPageParam } from '@flashsheet/contracts/social'
import { router, subscriberProcedure } from '../../core/procedures.ts'
import { disconnect, listAccounts, listPlatforms, removePage } from './service/accounts.ts'
import { creatorInfo } from './service/publishing.ts'
import { refreshToken } from './service/tokens.ts'

export const socialRouter = router({
  platforms: subscriberProcedure.query(({ ctx }) => listPlatforms(ctx)),
  accounts: subscriberProcedure.query(({ ctx }) => listAccounts(ctx)),
  disconnect: subscriberProcedure.input(SocialAccountParam).mutation(({ ctx, input }) => disconnect(ctx, input)),
  removePage: subscriberProcedure.input(SocialPageParam).mutation(({ ctx, input }) => removePage(ctx, input)),
  refreshToken: subscriberProcedure.input(SocialAccountParam).mutation(({ ctx, input }) => refreshToken(ctx, input)),
  creatorInfo: subscriberProcedure.input(CreatorInfoInput).query(({ ctx, input }) => creatorInfo(ctx, input)),
})
