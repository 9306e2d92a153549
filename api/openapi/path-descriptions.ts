import { postLimits } from '@flashsheet/contracts/posts/limits'
import { webhookLimits } from '@flashsheet/contracts/webhooks/limits'

/** What a path does, takes and answers, beyond what the REST table says. */
type PathDescription = {
  does: string
  /** The method to document, if it differs from the table's. */
  method?: 'HEAD'
  /** The input of a path that does not take JSON. */
  takes?: string
  /**
   * Appended to the shape of the answer (`response-descriptions.ts`), or to its status if there is no body. Names in backticks link
   * to "Shapes" if they have an entry there.
   */
  answers?: string
}

const titleMax = String(postLimits.titleMax)
const captionMax = postLimits.captionMax.toLocaleString('en-US')

/** By the method and path of the row; a plain text is `does`. */
export const pathDescriptions: Record<string, PathDescription | string> = {
  'POST /api/users':
    'Registers a person and mails a link that verifies the address. The answer is the same whether or not the address has an account.',
  'POST /api/users/auth': {
    does: 'Logs in. Its cookie is the session of all further calls.',
    answers: ', and the session cookie; 401 for a wrong password',
  },
  'POST /api/users/logout': 'Ends the session.',
  'POST /api/users/verify-email': {
    does: 'Verifies the address by the token of a mailed link, and starts a session.',
    answers: ', and the session cookie; 400 for a token that is used, expired or unknown',
  },
  'POST /api/users/resend-verification': {
    does: 'Mails another verification link.',
    answers: ', whether or not there is such an account',
  },
  'POST /api/users/forgot-password': {
    does: 'Mails a link that sets a new password.',
    answers: ', whether or not there is such an account',
  },
  'POST /api/users/reset-password': {
    does: 'Sets a new password by the token of a mailed link. Ends every session, every other link and the sign-in with Google of the account.',
    answers: '; it starts no session',
  },
  'PUT /api/users/profile': {
    does: 'Changes name, address or password; `_id` is the caller’s own. An empty `password` leaves it unchanged. A new address or password needs `currentPassword` if the account has a password; a new address takes effect once its mailbox has confirmed it.',
    answers: ', and a new session cookie after a new password or a request for another address',
  },
  'GET /api/auth/google': {
    does: 'Redirects a browser to Google’s sign-in. `timeZone` in the query is stored with a new account.',
    takes: 'a browser',
  },
  'GET /api/auth/google/callback': {
    does: 'The address to which Google redirects the browser.',
    takes: 'a browser',
    answers: ' to a screen, with the session cookie or an error message',
  },

  'GET /.well-known/oauth-protected-resource': {
    does: 'Names the authorization server for /mcp (RFC 9728).',
    answers: 'its metadata',
  },
  'GET /.well-known/oauth-protected-resource/mcp': {
    does: 'The same, at the path that RFC 9728 defines for /mcp.',
    answers: 'its metadata',
  },
  'GET /.well-known/oauth-authorization-server': {
    does: 'Describes the authorization server (RFC 8414): authorization codes with PKCE (S256), refresh tokens, no client secrets.',
    answers: 'its metadata',
  },
  'GET /oauth/authorize': {
    does: 'Redirects a browser to the screen that asks the artist for consent.',
    takes: 'the parameters of RFC 6749 with `code_challenge` (S256) and `resource`',
    answers: ' to /connect-assistant',
  },
  'POST /oauth/register': {
    does: 'Registers an assistant’s client (RFC 7591). A client that is not connected within a day is deleted.',
    takes: 'JSON with `redirect_uris`, which must later match exactly, and `client_name`',
    answers: '; 400 `{ error, error_description }`',
  },
  'POST /oauth/token': {
    does: 'Exchanges a code (valid once, for 60 s) or a refresh token (valid once) for new tokens. Using either a second time ends the connection.',
    takes: 'a form as in RFC 6749, with `client_id`, and for a code `redirect_uri` and `code_verifier`',
    answers: '; 400 `{ error, error_description }`',
  },
  'POST /oauth/revoke': {
    does: 'Ends the connection that a token belongs to (RFC 7009).',
    takes: 'a form with `token` and `client_id`',
    answers: '`{}`, also for an expired token',
  },

  'GET /api/me': 'The caller, and the scopes of the key.',
  'GET /api/keys': 'The artist’s API keys, the newest first.',
  'POST /api/keys': {
    does: 'Creates an API key; at most 20. Only this answer contains it.',
    answers: '; 409 `full` at the twenty-first',
  },
  'DELETE /api/keys/:id': 'Revokes an API key: its next request is refused.',

  'GET /api/webhook-endpoints': 'The artist’s webhook endpoints, the newest first.',
  'POST /api/webhook-endpoints': {
    does: 'Adds an address to which events are sent; at most 10. It must begin with https and be on the public internet, without a port or password. Only this answer contains the secret that signs the calls.',
    answers: '; 409 `full` at the eleventh',
  },
  'PUT /api/webhook-endpoints/:id':
    'Changes an endpoint; omitted fields stay unchanged. `active: false` discards its pending deliveries, `active: true` sends events from then on.',
  'DELETE /api/webhook-endpoints/:id': 'Deletes an endpoint with its deliveries.',
  'POST /api/webhook-endpoints/:id/rotate': {
    does: `Replaces the secret. The previous one also signs for ${webhookLimits.oldSecretHours} hours.`,
    answers: '; 409 when too many secrets sign already',
  },
  'POST /api/webhook-endpoints/:id/test': {
    does: 'Sends `ping` to the endpoint, whatever its events are.',
    answers: ': the delivery; 409 while the endpoint is switched off',
  },
  'GET /api/webhook-endpoints/:id/deliveries': `The newest ${webhookLimits.listed} deliveries of an endpoint, with each attempt; they are stored for ${webhookLimits.retentionDays} days.`,
  'GET /api/webhook-endpoints/:id/deliveries/:deliveryId':
    'One delivery, with the body that was sent and the beginning of each answer.',
  'POST /api/webhook-endpoints/:id/deliveries/:deliveryId/resend': {
    does: 'Sends a delivery again, with the same `webhook-id`.',
    answers: '; 409 while the endpoint is switched off',
  },

  'POST /api/subscriptions/create-checkout-session': {
    does: 'Opens a checkout at Stripe for a plan, and expires older open checkouts of the caller.',
    answers: ': the address to send the browser to; 409 while a subscription is active or past due',
  },
  'GET /api/subscriptions/current': {
    does: 'The caller’s subscription, also after it has ended.',
    answers: '; 404 if there never was one',
  },
  'POST /api/subscriptions/cancel':
    'Cancels the subscription at the end of the paid period; an unpaid one ends at once.',
  'POST /api/subscriptions/reactivate':
    'Undoes a scheduled cancellation. A subscription that has ended is not restored.',
  'GET /api/subscriptions/plans': { does: 'The plans on sale.', answers: '; prices in cents a month' },
  'POST /api/webhooks/stripe': {
    does: 'Stripe’s events.',
    takes: 'Stripe’s signed body (`Stripe-Signature`)',
    answers: ' once the event is stored; 400 without a valid signature',
  },

  'GET /api/media': 'The library, newest first.',
  'DELETE /api/media': {
    does: 'Deletes items together with their gallery entries; unknown ids are skipped.',
    answers:
      '; 404 when all are unknown; 409 `MediaInUse`, without deleting any, when a post that is not final uses one of them',
  },
  'GET /api/media/:id': 'One item of the library.',
  'POST /api/media/from-url': {
    does: 'Fetches a picture or video into the library. Its address must begin with https and be on the public internet, without a port or password.',
    answers:
      '; 400 for an address that is not allowed, 409 `full`, or 409 for an id that was used with another address',
  },
  'GET /api/media/from-url/:jobId': {
    does: 'The state of the fetch, for seven days.',
    answers: ': `item` once it is done, `message` when it failed',
  },
  'POST /api/media/upload': {
    does: 'Adds files to the library, all or none.',
    takes: 'multipart/form-data, each file in the field `files`',
    answers: ' in the order sent; 409 also when the `Idempotency-Key` was used with another form',
  },
  'OPTIONS /api/uploads': {
    does: 'The capabilities of this tus server (tus 1.0.0).',
    takes: 'nothing',
    answers: ' with `Tus-Version`, `Tus-Extension`, `Tus-Max-Size`',
  },
  'POST /api/uploads': {
    does: 'Creates a tus upload; the body may contain the file or its beginning.',
    takes: '`Upload-Length` and `Upload-Metadata` with `filename` and `filetype`',
    answers: ' with `Location`',
  },
  'PATCH /api/uploads/:id': {
    does: 'Sends the next bytes of an upload.',
    takes: '`Upload-Offset` and `application/offset+octet-stream`',
    answers:
      ' with `Upload-Offset`, and with `Media-Id` once the file is in the library; 400 when its bytes are refused',
  },
  'DELETE /api/uploads/:id': { does: 'Cancels an upload.', takes: 'nothing' },
  'GET /api/uploads/:id': {
    does: 'How many bytes of an upload have arrived.',
    method: 'HEAD',
    takes: 'nothing',
    answers: ' with `Upload-Offset`, and with `Media-Id` once it is in the library',
  },
  'POST /api/uploads/:id/poster': {
    does: 'Sets the poster of a video, before or after the video is complete.',
    takes: 'the bytes of a JPEG, PNG or WebP of at most 1 MB',
  },
  'GET /files/media/:id/:form': 'A file of the caller’s library; `MediaItem` contains the addresses.',
  'GET /files/public/:token': 'A file by its signed address, which is valid for a day. Networks fetch media this way.',

  'GET /api/networks': `The limits of each network for captions and media, and the options of its pages. For every network Flashsheet also limits a caption to ${captionMax} and a title to ${titleMax} characters.`,
  'GET /api/socials': 'The networks that this installation can connect.',
  'GET /api/social-accounts': 'The connected accounts with their pages, oldest first.',
  'DELETE /api/social-accounts/:id':
    'Disconnects an account. Deletes its targets that have not begun; a target that is being published finishes first.',
  'DELETE /api/social-accounts/:accountId/pages/:pageId':
    'Removes a page. Removing the last one also removes its account.',
  'PUT /api/social-accounts/:id/token': {
    does: 'Refreshes the account’s tokens at its network now, or checks whether they are still valid if they cannot be refreshed.',
    answers: '; 409 `{ message, reconnectUrl }` when the account has to be connected again',
  },
  'GET /files/page-pictures/:id/:file':
    'Our copy of a page’s picture. `SocialAccount` contains the address, which changes with the picture.',
  'POST /api/webhooks/meta/deauthorize': {
    does: 'Meta’s callback when a person removes the app.',
    takes: 'Meta’s `signed_request`',
    answers: '; 400 without a valid signature',
  },
  'POST /api/webhooks/meta/data-deletion': {
    does: 'Meta’s callback when a person requests the deletion of their data.',
    takes: 'Meta’s `signed_request`',
    answers: ' with `url` and `confirmation_code`; 400 without a valid signature',
  },
  'GET /api/social-connect/:platform': {
    does: 'Redirects a browser to a network’s consent page. Errors are JSON for a caller that does not accept text/html.',
    takes: 'a browser with the session of a subscriber',
  },
  'GET /api/social-connect/:platform/callback': {
    does: 'The address to which a network redirects the browser.',
    takes: 'a browser',
    answers: ' to /social-accounts with `connected=<platform>` or `error=<message>`',
  },

  'GET /api/websitebuilder':
    'The artist’s site as stored by the builder; before the first save, the defaults of a new one.',
  'POST /api/websitebuilder': {
    does: 'Saves whole sections; omitted ones stay unchanged. A save with a `domainName` publishes the site, unless `published` is false. An image’s `url` is one from POST /api/websitebuilder/image. Changing `design.palette` sets the colours, unless `branding` is sent too. `sections.shown` lists the visible parts of the page in their order. `links.hidden` names what visitors do not see: `email`, `phone`, `address` (its street and map), and connected pages as `platform:pageId`.',
    answers: '; 409 when another artist has the name',
  },
  'POST /api/websitebuilder/gallery': {
    does: 'Appends items of the library to the gallery.',
    answers: '; 404 when none of them is in the library',
  },
  'PUT /api/websitebuilder/gallery/:id/flash': {
    does: 'Marks a picture of the gallery as available flash; `null` removes the mark. `id` is the media id.',
    answers: ', the gallery with the fields that only its artist sees; 404 when the picture is not in it',
  },
  'DELETE /api/websitebuilder/gallery/:id': 'Removes an item from the gallery; it stays in the library.',
  'POST /api/websitebuilder/upload': {
    does: 'Adds files to the library, and the pictures among them to the gallery, all or none.',
    takes: 'multipart/form-data, each file in the field `files`',
    answers: '; 409 also when the `Idempotency-Key` was used with another form',
  },
  'POST /api/websitebuilder/image': {
    does: 'Uploads a picture for the site (logo, background, profile).',
    takes: 'multipart/form-data, one file in the field `file`',
    answers: '; 409 when the `Idempotency-Key` was used with another form',
  },
  'GET /files/site-images/:id': 'A picture of a site in medium size, while the site is open.',
  'GET /files/site-images/:id/:form': 'A picture of a site in a given size and format, while the site is open.',
  'GET /files/gallery/:token/:form': 'A gallery entry in a given size and format, while the site is open.',
  'POST /api/websitebuilder/preview': {
    does: 'The home page of the site as it would be after saving, for the builder’s preview frame.',
    takes: 'a form with the site as JSON in `site`',
    answers: 'HTML',
  },

  'GET /api/posts':
    'The caller’s posts, the most recently created first. `from` (inclusive) and `to` (exclusive) filter by the calendar date of a post: its scheduled time while it is scheduled, otherwise the time of its last change.',
  'POST /api/posts': {
    does: `Posts to each page at once. \`title\` has at most ${titleMax} and \`message\` ${captionMax} characters.`,
    answers: '; GET /api/posts shows the outcome. 400 with `fields`, 409 for an id that was used for another post',
  },
  'POST /api/posts/schedule': {
    does: 'Schedules a post for a future time; up to 60 s in the past counts as now. `next-slot` means the next slot of the queue that is free for all of its pages.',
    answers: '; 409 when the queue has no such slot',
  },
  'PUT /api/posts/:postId': {
    does: 'Changes the time and texts of a post that has not begun. The `_id` of a variant is the one in `Post`. With `leavesQueue` the post is removed from the queue and keeps its time, unless a new one is sent.',
    answers: '; 409 once it is final or a worker has claimed one of its targets',
  },
  'GET /api/posts/:postId': 'One post.',
  'DELETE /api/posts/:postId': {
    does: 'Deletes a post that has not begun.',
    answers: '; 409 once one of its targets is posted, failed or being published',
  },
  'POST /api/posts/:postId/retry': {
    does: 'Retries all failed pages, or the one of `variantId`. Posted pages are not affected.',
    answers: '; 409 when none has failed, or when the post may be at its network',
  },
  'POST /api/posts/:postId/publish': {
    does: 'Publishes now the targets that wait for their time.',
    answers: '; 409 when none waits',
  },
  'POST /api/posts/:postId/duplicate': {
    does: 'Stores a copy of a post as a draft, without pages that are no longer connected, media that were deleted, and TikTok’s options.',
    answers: '; 409 `full` at the 201st',
  },
  'GET /api/drafts': 'The artist’s drafts, the newest first.',
  'POST /api/drafts': {
    does: 'Stores a draft; at most 200. All fields are optional.',
    answers: '; 400 for media and pages that are not the artist’s, 409 `full` at the 201st',
  },
  'GET /api/drafts/:draftId': 'One draft.',
  'PUT /api/drafts/:draftId': {
    does: 'Changes a draft; omitted fields stay unchanged. `version` is the one that was read.',
    answers: '; 409 with the `current` draft when its version has changed',
  },
  'DELETE /api/drafts/:draftId': 'Deletes a draft.',
  'POST /api/drafts/:draftId/post': {
    does: 'Posts a draft, and deletes it once the post is stored. A repeated call answers with the same post.',
    answers: '; 400 for reasons that refuse a post, 409 when the draft was posted with another time',
  },
  'GET /api/queue': 'The weekly times at which queued posts are published.',
  'PUT /api/queue': {
    does: 'Changes the queue; omitted fields stay unchanged. With `previousSlots`, the `slots` that were read, slots that have changed since are not overwritten. Day 1 is Monday; a slot without `pages` is for all pages. Pausing holds the targets in the queue; resuming moves those that missed their slot to the next free ones.',
    answers:
      '; 400 for pages that are not the artist’s, 409 when a waiting target would have no slot, 409 with the `current` queue when its slots are not `previousSlots`',
  },
  'GET /api/queue/next': 'The next slots with at least one free page, and those pages; 5 slots, or `count` up to 50.',
  'POST /api/webhooks/tiktok': {
    does: 'TikTok’s events about a post. They only bring our next status request forward.',
    takes: 'TikTok’s signed body (`TikTok-Signature`)',
    answers: '; 400 without a valid signature',
  },
  'GET /files/posts/:postId/:position': {
    does: 'The thumbnail of a post’s medium, also after the item was deleted.',
    answers: 'a WebP picture',
  },

  'GET /api/openapi.json': { does: 'All paths as an OpenAPI 3.1 document.', answers: 'an OpenAPI document' },

  'GET /api/admin/subscriptions/analytics': { does: 'The figures of the dashboard.', answers: '; money in cents' },
  'GET /api/admin/subscriptions/history': 'Orders, with filters. An empty filter is none.',
  'GET /api/admin/subscriptions/stats': 'The totals above the list of orders.',
  'GET /api/admin/users': 'The artists. `search` searches names and addresses.',
  'GET /api/admin/users/:id': 'Everything that staff see of one artist.',
  'PUT /api/admin/users/:id': {
    does: 'Changes an account; omitted fields stay unchanged. A new address must be verified again.',
    answers: '; 409 for the caller’s own account, the last admin, or a taken address',
  },
  'DELETE /api/admin/users/:id': {
    does: 'Deletes an account without a grace period.',
    answers: '; 409 for the caller’s own account or the last admin',
  },
  'PATCH /api/admin/users/:id/toggle-status': 'Deactivates or reactivates an account.',

  'GET /api/availability':
    'When clients can book: weekly hours, days off, and booking rules. `isSet` is false until they are saved for the first time.',
  'PUT /api/availability': {
    does: 'Replaces all of it; omitted fields are removed. With `takesBookings: false` clients are offered no times. With `previous`, the hours that were read, hours that have changed since are not overwritten.',
    answers: '; 409 with the `current` hours when they are not `previous`',
  },
  'GET /api/appointments/booked': {
    does: 'The hours of a day at which no new 1 Hour Booking can begin.',
    answers: 'a list of labels, such as `"11:00am-12:00pm"`; 404 for a site that cannot be booked',
  },
  'GET /api/appointments': 'The artist’s appointments by their start, from `from` (inclusive) to `to` (exclusive).',
  'POST /api/appointments': {
    does: 'Books an appointment: clients at any open site, an artist with a session only at their own. A `date` without a time is a day in the studio’s time zone; of an instant, the day in that zone counts.',
    answers: '; 409 `{ message, next }` with three `FreeTime` when the time is taken',
  },
  'PUT /api/appointments/:id': {
    does: 'Changes day, hour, status or notes; omitted fields stay unchanged. The client is notified.',
    answers: '; 409 as above',
  },
  'DELETE /api/appointments/:id': 'Deletes an appointment; a client who expects it is notified.',
}
