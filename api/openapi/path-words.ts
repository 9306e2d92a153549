import { postLimits } from '@flashsheet/contracts/posts/limits'

/** What a path does, takes and answers, as far as the REST table does not tell. */
type Words = {
  does: string
  /** The method to document, if it differs from the table's. */
  method?: 'HEAD'
  /** The input of a path that does not take JSON. */
  takes?: string
  /**
   * Appended to the shape of the answer (`answer-words.ts`), or to its status if there is no body. Names in backticks link
   * to "Shapes" if they have an entry there.
   */
  answers?: string
}

const titleMax = String(postLimits.titleMax)
const captionMax = postLimits.captionMax.toLocaleString('en-US')

/** By the method and path of the row; a plain text is `does`. */
export const pathWords: Record<string, Words | string> = {
  'POST /api/users':
    'Registers a person and mails a link that verifies the address. The answer is the same whether or not the address has an account.',
  'POST /api/users/auth': {
    does: 'Logs in. Its cookie is the session of all further calls.',
    answers: ', and the session cookie; 401 for a wrong password',
  },
  'POST /api/users/logout': 'Ends the session.',
  'POST /api/users/verify-email': {
    does: 'Uses the token of a mailed link: verifies the address and begins a session.',
    answers: ', and the session cookie; 400 for a token that is used, old or unknown',
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
    does: 'Sets a new password by the token of a mailed link. Every session, other link and sign-in with Google of the account ends.',
    answers: '; it begins no session',
  },
  'PUT /api/users/profile': {
    does: 'Changes name, address or password; `_id` is the caller’s own. An empty `password` changes none. A new address or password needs `currentPassword` where the account has a password; a new address counts once its mailbox confirmed it.',
    answers: ', and a new session cookie after a new password or a wish for another address',
  },
  'GET /api/auth/google': {
    does: 'Leads a browser to Google’s sign-in. `timeZone` in the query is kept for a new account.',
    takes: 'a browser',
  },
  'GET /api/auth/google/callback': {
    does: 'Where Google leads the browser back to.',
    takes: 'a browser',
    answers: ' to a screen, with the session cookie or a sentence',
  },

  'GET /.well-known/oauth-protected-resource': {
    does: 'Who gives assistants access to /mcp (RFC 9728).',
    answers: 'its metadata',
  },
  'GET /.well-known/oauth-protected-resource/mcp': {
    does: 'The same, where RFC 9728 looks for it.',
    answers: 'its metadata',
  },
  'GET /.well-known/oauth-authorization-server': {
    does: 'How access is given (RFC 8414): authorization codes with PKCE (S256), refresh tokens, no secrets.',
    answers: 'its metadata',
  },
  'GET /oauth/authorize': {
    does: 'Leads a browser to the screen where the artist is asked for consent.',
    takes: 'the parameters of RFC 6749 with `code_challenge` (S256) and `resource`',
    answers: ' to /connect-assistant',
  },
  'POST /oauth/register': {
    does: 'Lets an assistant’s program register itself (RFC 7591). One that nobody connects within a day is forgotten.',
    takes: 'JSON with `redirect_uris`, which are later compared letter by letter, and `client_name`',
    answers: '; 400 `{ error, error_description }`',
  },
  'POST /oauth/token': {
    does: 'Changes a code, good once and for 60 s, or a refresh token, good once, for new tokens. What is brought a second time ends the connection.',
    takes: 'a form as RFC 6749 has it, with `client_id`, and for a code `redirect_uri` and `code_verifier`',
    answers: '; 400 `{ error, error_description }`',
  },
  'POST /oauth/revoke': {
    does: 'Ends the connection that a token belongs to (RFC 7009).',
    takes: 'a form with `token` and `client_id`',
    answers: '`{}`, also for a token that is over',
  },

  'GET /api/me': 'Who is calling, and what the key may do.',
  'GET /api/keys': 'The artist’s API keys, the newest first.',
  'POST /api/keys': {
    does: 'Makes an API key; at most 20. This answer alone holds it.',
    answers: '; 409 `full` at the twenty-first',
  },
  'DELETE /api/keys/:id': 'Ends an API key: it is refused from its next request on.',

  'GET /api/webhook-endpoints': 'The artist’s webhook endpoints, the newest first.',
  'POST /api/webhook-endpoints': {
    does: 'Adds an address that is called when something happens; at most 10. It begins with https and is on the public internet. This answer alone holds what calls are signed with.',
    answers: '; 409 `full` at the eleventh',
  },
  'PUT /api/webhook-endpoints/:id':
    'Changes an endpoint; what is left out stays. `active: false` gives up what it was still to get, `active: true` begins anew.',
  'DELETE /api/webhook-endpoints/:id': 'Deletes an endpoint with its deliveries.',
  'POST /api/webhook-endpoints/:id/rotate': {
    does: 'Replaces the secret. The one before signs too for 24 hours.',
    answers: '; 409 when several sign already',
  },
  'POST /api/webhook-endpoints/:id/test': {
    does: 'Sends `ping` to the endpoint, whatever it listens to.',
    answers: ': the delivery; 409 while the endpoint is switched off',
  },
  'GET /api/webhook-endpoints/:id/deliveries':
    'The newest 100 deliveries of an endpoint, with each call; they are kept for 30 days.',
  'GET /api/webhook-endpoints/:id/deliveries/:deliveryId':
    'One delivery, with what was sent and how each answer began.',
  'POST /api/webhook-endpoints/:id/deliveries/:deliveryId/resend': {
    does: 'Sends a delivery again, with the same `webhook-id`.',
    answers: '; 409 while the endpoint is switched off',
  },

  'POST /api/subscriptions/create-checkout-session': {
    does: 'Opens a checkout at Stripe for a plan; older open checkouts of the caller end.',
    answers: ': where to send the browser; 409 while a subscription is active or past due',
  },
  'GET /api/subscriptions/current': {
    does: 'The caller’s subscription, an ended one too.',
    answers: '; 404 if there never was one',
  },
  'POST /api/subscriptions/cancel':
    'Lets the subscription end with the period that is paid; one that is not paid for ends at once.',
  'POST /api/subscriptions/reactivate': 'Takes a planned end back. An ended subscription stays ended.',
  'GET /api/subscriptions/plans': { does: 'The plans on sale.', answers: '; prices in cents a month' },
  'POST /api/webhooks/stripe': {
    does: 'Stripe’s events.',
    takes: 'Stripe’s signed body (`Stripe-Signature`)',
    answers: ' once the event is stored; 400 without a valid signature',
  },

  'GET /api/media': 'The library, newest first.',
  'DELETE /api/media': {
    does: 'Deletes items; those already gone are skipped. Gallery entries go with them.',
    answers: '; 409 `MediaInUse`, and nothing deleted, when a post that is not final needs one of them',
  },
  'GET /api/media/:id': 'One item of the library.',
  'POST /api/media/from-url': {
    does: 'Has a picture or video fetched into the library. Its address begins with https and is on the public internet.',
    answers: '; 400 for an address that is not called, 409 `full` or for an id that was used for another address',
  },
  'GET /api/media/from-url/:jobId': {
    does: 'What became of it, for seven days.',
    answers: ': `item` once it is done, `message` when it failed',
  },
  'POST /api/media/upload': {
    does: 'Takes files into the library, all or none.',
    takes: 'multipart/form-data, each file in the field `files`',
    answers: ' in the order sent; 409 also when the `Idempotency-Key` was used for another form',
  },
  'OPTIONS /api/uploads': {
    does: 'What this tus server can do (tus 1.0.0).',
    takes: 'nothing',
    answers: ' with `Tus-Version`, `Tus-Extension`, `Tus-Max-Size`',
  },
  'POST /api/uploads': {
    does: 'Begins a tus upload; the file, or its beginning, may come along.',
    takes: '`Upload-Length` and `Upload-Metadata` with `filename` and `filetype`',
    answers: ' with `Location`',
  },
  'PATCH /api/uploads/:id': {
    does: 'Sends the next bytes of an upload.',
    takes: '`Upload-Offset` and `application/offset+octet-stream`',
    answers:
      ' with `Upload-Offset`, and with `Media-Id` once the file is in the library; 400 where its bytes are refused',
  },
  'DELETE /api/uploads/:id': { does: 'Gives an upload up.', takes: 'nothing' },
  'GET /api/uploads/:id': {
    does: 'How many bytes of an upload have arrived.',
    method: 'HEAD',
    takes: 'nothing',
    answers: ' with `Upload-Offset`, and with `Media-Id` once it is in the library',
  },
  'POST /api/uploads/:id/poster': {
    does: 'Takes the picture that stands for a video, before or after the video is complete.',
    takes: 'the bytes of a JPEG, PNG or WebP of at most 1 MB',
  },
  'GET /files/media/:id/:form': 'A file of the caller’s library: the addresses stand in `MediaItem`.',
  'GET /files/public/:token': 'A file for whoever holds this signed address, for a day: networks fetch by it.',

  'GET /api/networks': `What each network takes of words and media, and what can be chosen for a page of it. Beside that Flashsheet takes a caption of ${captionMax} and a title of ${titleMax} characters for any of them.`,
  'GET /api/socials': 'The networks that this installation can connect.',
  'GET /api/social-accounts': 'The connected accounts with their pages, oldest first.',
  'DELETE /api/social-accounts/:id':
    'Disconnects an account. Its targets that have not begun are deleted; one under way finishes first.',
  'DELETE /api/social-accounts/:accountId/pages/:pageId': 'Removes one page; the last one takes its account with it.',
  'PUT /api/social-accounts/:id/token': {
    does: 'Refreshes the account’s tokens at its network now, or asks whether they still open where they cannot be refreshed.',
    answers: '; 409 `{ message, reconnectUrl }` when only connecting again mends it',
  },
  'GET /files/page-pictures/:id/:file':
    'Our copy of a page’s picture: the address stands in `SocialAccount`, and changes with the picture.',
  'POST /api/webhooks/meta/deauthorize': {
    does: 'Meta says that a person removed the app.',
    takes: 'Meta’s `signed_request`',
    answers: '; 400 without a valid signature',
  },
  'POST /api/webhooks/meta/data-deletion': {
    does: 'Meta hands on a person’s wish that their data is deleted.',
    takes: 'Meta’s `signed_request`',
    answers: ' with `url` and `confirmation_code`; 400 without a valid signature',
  },
  'GET /api/social-connect/:platform': {
    does: 'Leads a browser to a network’s consent page. A caller that does not accept text/html is refused with JSON as anywhere else.',
    takes: 'a browser with the session of a subscriber',
  },
  'GET /api/social-connect/:platform/callback': {
    does: 'Where a network leads the browser back to.',
    takes: 'a browser',
    answers: ' to /social-accounts with `connected=<platform>` or `error=<sentence>`',
  },

  'GET /api/websitebuilder':
    'The artist’s site as the builder has it; before the first save, what a new one begins with.',
  'POST /api/websitebuilder': {
    does: 'Saves whole sections; one that is left out stays. A save with a `domainName` publishes, unless `published` is false. An image’s `url` is one that POST /api/websitebuilder/image answered. A `design.palette` that is new to the site sets its colours, unless `branding` is sent too. `sections.shown` lists the parts of the page that are on, in their order. `links.hidden` names what visitors are not shown: `email`, `phone`, `address` (its street and map), and connected pages as `platform:pageId`.',
    answers: '; 409 when another artist has the name',
  },
  'POST /api/websitebuilder/gallery': {
    does: 'Puts items of the library at the end of the gallery.',
    answers: '; 404 when none of them is in the library',
  },
  'PUT /api/websitebuilder/gallery/:id/flash': {
    does: 'Marks a picture of the gallery as available flash, or as none with `null`. `id` is the media id.',
    answers: ', the gallery with what only its artist needs; 404 when the picture is not in it',
  },
  'DELETE /api/websitebuilder/gallery/:id': 'Takes an item out of the gallery; it stays in the library.',
  'POST /api/websitebuilder/upload': {
    does: 'Takes files into the library and its pictures into the gallery, all or none.',
    takes: 'multipart/form-data, each file in the field `files`',
    answers: '; 409 also when the `Idempotency-Key` was used for another form',
  },
  'POST /api/websitebuilder/image': {
    does: 'Takes a picture for the site (logo, background, profile).',
    takes: 'multipart/form-data, one file in the field `file`',
    answers: '; 409 when the `Idempotency-Key` was used for another form',
  },
  'GET /files/site-images/:id': 'A picture of a site, for as long as the site is open; one of middle size.',
  'GET /files/site-images/:id/:form': 'The same in one size and format.',
  'GET /files/gallery/:token/:form': 'A gallery entry in one size and format, for as long as the site is open.',
  'POST /api/websitebuilder/preview': {
    does: 'The first page of the site as it would be after a save, for the frame beside the builder’s form.',
    takes: 'a form with the record as JSON in `site`',
    answers: 'HTML',
  },

  'GET /api/posts':
    'The caller’s posts, the newest made first. `from` (inclusive) and `to` (exclusive) go by where a post stands in the calendar: its time while it is scheduled, else when it was last changed.',
  'POST /api/posts': {
    does: `Posts to each page at once. \`title\` has at most ${titleMax} and \`message\` ${captionMax} characters.`,
    answers:
      '; GET /api/posts tells what became of it. 400 with `fields`, 409 for an id that was used for another post',
  },
  'POST /api/posts/schedule': {
    does: 'The same at a time to come; up to 60 s in the past counts as now. `next-slot` takes the next free slot of the queue that takes all of its pages.',
    answers: '; 409 when the queue has no such slot',
  },
  'PUT /api/posts/:postId': {
    does: 'Changes time and words of a post that nothing has begun of. `_id` of a variant is that of `Post`. With `leavesQueue` it waits in the queue no longer and keeps its time, unless another is sent.',
    answers: '; 409 once it is final or a worker has claimed any of it',
  },
  'GET /api/posts/:postId': 'One post.',
  'DELETE /api/posts/:postId': {
    does: 'Deletes a post of which nothing has begun.',
    answers: '; 409 once any of it is out, failed or on its way',
  },
  'POST /api/posts/:postId/retry': {
    does: 'Tries failed pages again, all or the one of `variantId`. What is out is left alone.',
    answers: '; 409 when nothing has failed, or may be at its network all the same',
  },
  'POST /api/posts/:postId/publish': {
    does: 'Sends what still waits for its time now.',
    answers: '; 409 when nothing of it waits',
  },
  'POST /api/posts/:postId/duplicate': {
    does: 'Stores what a post was made of as a draft: without pages that are no longer connected, media that the library no longer has, and TikTok’s choices.',
    answers: '; 409 `full` at the 201st',
  },
  'GET /api/drafts': 'The artist’s drafts, the newest first.',
  'POST /api/drafts': {
    does: 'Stores a draft; at most 200. Nothing of it is required.',
    answers: '; 400 for media and pages that are not the artist’s, 409 `full` at the 201st',
  },
  'GET /api/drafts/:draftId': 'One draft.',
  'PUT /api/drafts/:draftId': {
    does: 'Changes what is sent of a draft; `version` is the one that was read.',
    answers: '; 409 with the `current` one when it is of another version by now',
  },
  'DELETE /api/drafts/:draftId': 'Deletes a draft.',
  'POST /api/drafts/:draftId/post': {
    does: 'Posts a draft, which is gone once the post stands. A repeat answers the same post.',
    answers: '; 400 for what a post would be refused for, 409 when the draft was posted for another time',
  },
  'GET /api/queue': 'The times of the week at which queued posts go out.',
  'PUT /api/queue': {
    does: 'Changes what is sent of the queue. Day 1 is Monday; a slot without `pages` takes all. Pausing holds what the queue placed; going on moves what has missed its slot to the next free ones.',
    answers: '; 400 for pages that are not the artist’s, 409 when something that waits could go nowhere',
  },
  'GET /api/queue/next': 'The next slots that are free for some page, and for which; 5, or `count` up to 50.',
  'POST /api/webhooks/tiktok': {
    does: 'TikTok’s events about a post: they only bring our next question forward.',
    takes: 'TikTok’s signed body (`TikTok-Signature`)',
    answers: '; 400 without a valid signature',
  },
  'GET /files/posts/:postId/:position': {
    does: 'The small picture that a post keeps, also after its item was deleted.',
    answers: 'a WebP picture',
  },

  'GET /api/openapi.json': { does: 'All paths as OpenAPI 3.1 describes them.', answers: 'an OpenAPI document' },

  'GET /api/admin/subscriptions/analytics': { does: 'The figures of the dashboard.', answers: '; money in cents' },
  'GET /api/admin/subscriptions/history': 'Orders, with filters. An empty filter is none.',
  'GET /api/admin/subscriptions/stats': 'The head of the list of orders.',
  'GET /api/admin/users': 'The artists. `search` looks in names and addresses.',
  'GET /api/admin/users/:id': 'All that staff see of one artist.',
  'PUT /api/admin/users/:id': {
    does: 'Changes an account; what is left out stays. A new address is verified anew.',
    answers: '; 409 against oneself, the last admin, or for a taken address',
  },
  'DELETE /api/admin/users/:id': {
    does: 'Deletes an account without grace.',
    answers: '; 409 against oneself or the last admin',
  },
  'PATCH /api/admin/users/:id/toggle-status': 'Deactivates an account, or activates it again.',

  'GET /api/availability':
    'When clients can book: the hours of the week, days off, and the rules around them. `isSet` is false until they were saved once.',
  'PUT /api/availability':
    'Replaces all of it; what is left out is no more. `takesBookings: false` offers clients no time at all.',
  'GET /api/appointments/booked': {
    does: 'The hours of a day that a new 1 Hour Booking could not take.',
    answers: 'a list of labels, such as `"11:00am-12:00pm"`; 404 for a site that cannot be booked',
  },
  'GET /api/appointments': 'The artist’s appointments by their start, from `from` (inclusive) to `to` (exclusive).',
  'POST /api/appointments': {
    does: 'Books a time: a client at any open site; with an artist’s session at their own only. A `date` that is a day is the studio’s; of an instant the day in the studio’s zone counts.',
    answers: '; 409 `{ message, next }` with three `FreeTime` when the time is taken',
  },
  'PUT /api/appointments/:id': {
    does: 'Changes day, hour, status or notes; what is left out stays. The client is told.',
    answers: '; 409 as above',
  },
  'DELETE /api/appointments/:id': 'Deletes an appointment; a client who counted on it is told.',
}
