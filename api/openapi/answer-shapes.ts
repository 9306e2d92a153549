import * as admin from '@flashsheet/contracts/admin/schema'
import { Appointment, FreeTime } from '@flashsheet/contracts/appointments/schema'
import { IssuedTokens, RegisteredClient } from '@flashsheet/contracts/assistants/schema'
import { Message, UserInfo } from '@flashsheet/contracts/auth/schema'
import { Draft } from '@flashsheet/contracts/drafts/schema'
import { ErrorBody } from '@flashsheet/contracts/errors/schema'
import { ApiKey, Deleted, Me, NewApiKey } from '@flashsheet/contracts/keys/schema'
import { DeletedCount, FromUrlJob, FromUrlState, MediaInUse, MediaItem } from '@flashsheet/contracts/media/schema'
import { Post, PostResult } from '@flashsheet/contracts/posts/schema'
import { FreeSlot, Queue } from '@flashsheet/contracts/queue/schema'
import { Network, PlatformDescriptor, SocialAccount } from '@flashsheet/contracts/social/schema'
import { CheckoutSession, Plan, Subscription } from '@flashsheet/contracts/subscription/schema'
import {
  NewWebhookEndpoint,
  WebhookAccount,
  WebhookAppointment,
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookEndpoint,
  WebhookPing,
  WebhookPost,
  WebhookSecret,
  WebhookSent,
} from '@flashsheet/contracts/webhooks/schema'
import { Gallery, Site, SiteImage } from '@flashsheet/contracts/website/schema'
import type { z } from 'zod'

/** The contracts that answers and the bodies of webhooks are made of, by the names that `docs/api.md` and `GET /api/openapi.json` give them. */
export const answerShapes: Record<string, z.ZodType> = {
  ErrorBody,
  Message,
  UserInfo,
  Me,
  ApiKey,
  NewApiKey,
  Deleted,
  RegisteredClient,
  IssuedTokens,
  WebhookEndpoint,
  NewWebhookEndpoint,
  WebhookSecret,
  WebhookSent,
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookPing,
  WebhookPost,
  WebhookAccount,
  WebhookAppointment,
  Plan,
  Subscription,
  CheckoutSession,
  MediaItem,
  FromUrlJob,
  FromUrlState,
  DeletedCount,
  MediaInUse,
  Network,
  PlatformDescriptor,
  SocialAccount,
  Site,
  SiteImage,
  Gallery,
  Post,
  Draft,
  Queue,
  FreeSlot,
  PostResult,
  Appointment,
  FreeTime,
  AdminUser: admin.AdminUser,
  UsersPage: admin.UsersPage,
  ArtistDetail: admin.ArtistDetail,
  HistoryPage: admin.HistoryPage,
  SubscriptionStats: admin.SubscriptionStats,
  AdminAnalytics: admin.AdminAnalytics,
}
