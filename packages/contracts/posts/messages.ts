import { nameList, videoOnlyPlatforms } from '../networks.ts'
import { mediaLimits } from '../media/limits.ts'
import { postLimits } from './limits.ts'

export const postMessages = {
  tooManyImages: `You can post up to ${mediaLimits.imagesPerPost} images only at a time.`,
  mixedMedia: 'Images and videos cannot be mixed in one post.',
  oneVideo: 'A video post takes a single video.',
  mediaRequired: 'Please choose at least one picture or video.',
  mediaUnknown: 'Some of the chosen media are no longer in your library.',
  pageRequired: 'Please pick at least one page.',
  pageUnknown: 'Some of the picked pages are no longer connected.',
  pageTwice: 'A page was picked twice.',
  videoOnly: `${nameList(videoOnlyPlatforms)} take videos only.`,
  titleTooLong: `The title can have up to ${postLimits.titleMax} characters.`,
  captionTooLong: `The caption can have up to ${postLimits.captionMax} characters.`,
  cropsDiffer: 'Please give one crop, or null, for each picture.',
  cropOfVideo: 'Only pictures can be cropped.',
  scheduleRequired: 'Please choose a date and time.',
  schedulePast: 'Please choose a time in the future.',
  requestReused: 'This request was already used for another post.',
  scheduled: 'Scheduled post successfully!',
  rescheduleFailed: 'Failed to reschedule post',
  rescheduled: 'Post rescheduled successfully!',
  postedAll: (n: number) => `Posted successfully to ${n} social(s).`,
  postedSome: (n: number, m: number) => `Posted to ${n} social(s), but failed on ${m}.`,
  postedNone: (m: number) => `Failed to post to all ${m} social(s).`,
  failedFallback: 'An error occurred while posting.',
  untitled: 'Untitled Post',
  subscriptionEnded: 'Your subscription had ended.',
  deactivated: 'Your account was deactivated, and it was not active again within 24 hours of the time.',
  missed: 'It could not be posted within 24 hours of its time.',
  /** Prefix of a failure whose outcome nobody knows: posting again by hand might double it. */
  unclear: (network: string) =>
    `${network} never said whether this was posted. Please look at the page before you post it again.`,
  /** A post was sent, and no answer came back. */
  unanswered: 'Your post may not have been sent.',
  /** Behind the reason why a planned post cannot get in. */
  awaitsAccount: 'Once you have connected it again, this goes out by itself.',
  notEditable: 'This post can no longer be changed.',
  nothingFailed: 'Nothing of this post has failed.',
  nothingWaits: 'Nothing of this post is waiting for its time any more.',
  underWay: 'This post is on its way right now, so it cannot be deleted.',
  deleted: 'Post deleted.',
  publishingNow: 'It goes out now.',
  retrying: 'Trying again.',
  markedPosted: 'Marked as posted.',
  notAnAddress: 'Please paste the address of the post.',
  notItsAddress: (network: string) => `That is not the address of a post on ${network}.`,
  anotherPage: (page: string) => `That is not on ${page} but on another page.`,
  knownAsAnother: 'That is another post that went out from Flashsheet.',
  noCandidates: (page: string) =>
    `Nothing new is listed on ${page} yet. If you see your post there, paste its address.`,
  notListed: (network: string) => `${network} does not list posts of this kind, so please paste its address.`,
  candidateGone: 'That post is not on the page any more. Please look again.',
  mayBeThere: 'It may be on its page already. Please look there first, and then say whether it is.',
  /** What may be at the network of a target that failed, before another is sent. */
  left: {
    unclear: 'It may be out already. If it is, posting again makes a second one.',
    draft: 'It is there as a draft, which you can share. Posting again makes another.',
    private: 'It is there, and only you can see it. Posting again makes another.',
    inbox: 'It is in your inbox in the app, where you can finish it. Posting again makes another.',
  },
  accountGone: 'The account was disconnected.',
  networkGone: (network: string) => `Posting to ${network} is not available at the moment.`,
  mediaGone: 'A picture or video of this post is no longer there.',
  privacyRequired: 'Please choose who can see this on TikTok.',
  brandedPrivate: 'Branded content cannot be visible to only you.',
} as const
