import { type Platform, platformNames } from '../networks.ts'
import { socialLimits } from './limits.ts'

export const socialMessages = {
  redirecting: (platform: Platform) => `Redirecting to ${platformNames[platform]} login...`,
  connected: (platform: Platform) => `${platformNames[platform]} account connected successfully!`,
  connectFailed: 'Failed to connect account',
  disconnected: 'Account disconnected successfully',
  removeFailed: 'Failed to remove page',
  loadFailed: 'Failed to load social accounts. Please try again later.',
  wizardLoading: 'Loading accounts...',
  wizardLoadFailed: 'Error loading accounts. Please try again.',
  noneConnected: 'No accounts connected.',
  wizardNoneConnected: 'No social media accounts connected.',
  notSigned: 'This was not signed by the network.',
  deletionRequested: (platform: Platform) =>
    `${platformNames[platform]} sent us a request to delete the data of this account, so it was disconnected and the posts planned for it were deleted.`,
  unknownDeletion: 'There is no deletion request with this code.',
  videoOnly: 'Video only — disabled for image posts',
  limit: `You can connect up to ${socialLimits.accounts} social accounts. Disconnect one to add another.`,
  cancelled: 'You cancelled the connection. Nothing was changed.',
  stateUnknown: 'This connection link was used or has expired. Please start again.',
  noPages: (platform: Platform) => `We found no ${platformNames[platform]} page you can post to.`,
  unknownPlatform: 'This network is not available.',
  loginFirst: 'Please log in, then connect your account again.',
  unreachable: (platform: Platform) => `${platformNames[platform]} could not be reached. Please try again in a moment.`,
  signInRefused: (platform: Platform) => `${platformNames[platform]} did not accept the sign-in. Please try again.`,
  refreshLost: (platform: Platform) =>
    `${platformNames[platform]} was renewing our access to this account, but its answer never arrived, and the old access no longer works. Please connect the account again.`,
  reconnect: (platform: Platform) => `${platformNames[platform]} needs you to connect this account again.`,
  accountGone: 'This account is no longer connected.',
  pageGone: 'This page is no longer connected.',
  unknownAccount: 'This account is not one of yours.',
} as const
