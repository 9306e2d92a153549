import {
  CreatorInfoInput,
  DeletionParam,
  SocialAccountParam,
  SocialPageParam,
} from '@flashsheet/contracts/social/schema'
import { call, publicProcedure, router, subscriberProcedure } from '../../core/procedures.ts'
import { disconnect, listAccounts, listNetworks, listPlatforms, removePage } from './service/accounts.ts'
import { getCreatorInfo } from './service/publishing.ts'
import { getDeletionStatus } from './service/removals.ts'
import { refreshToken } from './service/tokens.ts'

export const socialRouter = router({
  networks: publicProcedure('any').query(call(listNetworks)),
  platforms: subscriberProcedure('accounts:read').query(call(listPlatforms)),
  accounts: subscriberProcedure('accounts:read').query(call(listAccounts)),
  disconnect: subscriberProcedure('never').input(SocialAccountParam).mutation(call(disconnect)),
  removePage: subscriberProcedure('never').input(SocialPageParam).mutation(call(removePage)),
  refreshToken: subscriberProcedure('never').input(SocialAccountParam).mutation(call(refreshToken)),
  deletionStatus: publicProcedure('any').input(DeletionParam).query(call(getDeletionStatus)),
  creatorInfo: subscriberProcedure('accounts:read').input(CreatorInfoInput).query(call(getCreatorInfo)),
})
