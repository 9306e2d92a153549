// Generated from /api/openapi.json by `pnpm docs:generate`; do not edit.

export interface paths {
    "/api/users": {
        /** @description Registers a person and mails a link that verifies the address. The answer is the same whether or not the address has an account. No API key opens this. */
        post: operations["postUsers"];
    };
    "/api/users/auth": {
        /** @description Logs in. Its cookie is the session of all further calls. No API key opens this. */
        post: operations["postUsersAuth"];
    };
    "/api/users/logout": {
        /** @description Ends the session. No API key opens this. */
        post: operations["postUsersLogout"];
    };
    "/api/users/verify-email": {
        /** @description Verifies the address by the token of a mailed link, and starts a session. No API key opens this. */
        post: operations["postUsersVerifyEmail"];
    };
    "/api/users/resend-verification": {
        /** @description Mails another verification link. No API key opens this. */
        post: operations["postUsersResendVerification"];
    };
    "/api/users/forgot-password": {
        /** @description Mails a link that sets a new password. No API key opens this. */
        post: operations["postUsersForgotPassword"];
    };
    "/api/users/reset-password": {
        /** @description Sets a new password by the token of a mailed link. Ends every session, every other link and the sign-in with Google of the account. No API key opens this. */
        post: operations["postUsersResetPassword"];
    };
    "/api/users/profile": {
        /** @description Changes name, address or password; `_id` is the caller’s own. An empty `password` leaves it unchanged. A new address or password needs `currentPassword` if the account has a password; a new address takes effect once its mailbox has confirmed it. No API key opens this. */
        put: operations["putUsersProfile"];
    };
    "/api/auth/google": {
        /** @description Redirects a browser to Google’s sign-in. `timeZone` in the query is stored with a new account. Takes a browser. No API key opens this. */
        get: operations["getAuthGoogle"];
    };
    "/api/auth/google/callback": {
        /** @description The address to which Google redirects the browser. Takes a browser. No API key opens this. */
        get: operations["getAuthGoogleCallback"];
    };
    "/api/me": {
        /** @description The caller, and the scopes of the key. */
        get: operations["getMe"];
    };
    "/api/keys": {
        /** @description The artist’s API keys, the newest first. No API key opens this. */
        get: operations["getKeys"];
        /** @description Creates an API key; at most 20. Only this answer contains it. No API key opens this. */
        post: operations["postKeys"];
    };
    "/api/keys/{id}": {
        /** @description Revokes an API key: its next request is refused. No API key opens this. */
        delete: operations["deleteKeysById"];
    };
    "/.well-known/oauth-protected-resource": {
        /** @description Names the authorization server for /mcp (RFC 9728). Takes nothing. */
        get: operations["getWellKnownOauthProtectedResource"];
    };
    "/.well-known/oauth-protected-resource/mcp": {
        /** @description The same, at the path that RFC 9728 defines for /mcp. Takes nothing. */
        get: operations["getWellKnownOauthProtectedResourceMcp"];
    };
    "/.well-known/oauth-authorization-server": {
        /** @description Describes the authorization server (RFC 8414): authorization codes with PKCE (S256), refresh tokens, no client secrets. Takes nothing. */
        get: operations["getWellKnownOauthAuthorizationServer"];
    };
    "/oauth/authorize": {
        /** @description Redirects a browser to the screen that asks the artist for consent. Takes the parameters of RFC 6749 with `code_challenge` (S256) and `resource`. No API key opens this. */
        get: operations["getOauthAuthorize"];
    };
    "/oauth/register": {
        /** @description Registers an assistant’s client (RFC 7591). A client that is not connected within a day is deleted. Takes JSON with `redirect_uris`, which must later match exactly, and `client_name`. No API key opens this. */
        post: operations["postOauthRegister"];
    };
    "/oauth/token": {
        /** @description Exchanges a code (valid once, for 60 s) or a refresh token (valid once) for new tokens. Using either a second time ends the connection. Takes a form as in RFC 6749, with `client_id`, and for a code `redirect_uri` and `code_verifier`. No API key opens this. */
        post: operations["postOauthToken"];
    };
    "/oauth/revoke": {
        /** @description Ends the connection that a token belongs to (RFC 7009). Takes a form with `token` and `client_id`. No API key opens this. */
        post: operations["postOauthRevoke"];
    };
    "/api/webhook-endpoints": {
        /** @description The artist’s webhook endpoints, the newest first. No API key opens this. */
        get: operations["getWebhookEndpoints"];
        /** @description Adds an address to which events are sent; at most 10. It must begin with https and be on the public internet, without a port or password. Only this answer contains the secret that signs the calls. No API key opens this. */
        post: operations["postWebhookEndpoints"];
    };
    "/api/webhook-endpoints/{id}": {
        /** @description Changes an endpoint; omitted fields stay unchanged. `active: false` discards its pending deliveries, `active: true` sends events from then on. No API key opens this. */
        put: operations["putWebhookEndpointsById"];
        /** @description Deletes an endpoint with its deliveries. No API key opens this. */
        delete: operations["deleteWebhookEndpointsById"];
    };
    "/api/webhook-endpoints/{id}/rotate": {
        /** @description Replaces the secret. The previous one also signs for 24 hours. No API key opens this. */
        post: operations["postWebhookEndpointsByIdRotate"];
    };
    "/api/webhook-endpoints/{id}/test": {
        /** @description Sends `ping` to the endpoint, whatever its events are. No API key opens this. */
        post: operations["postWebhookEndpointsByIdTest"];
    };
    "/api/webhook-endpoints/{id}/deliveries": {
        /** @description The newest 100 deliveries of an endpoint, with each attempt; they are stored for 30 days. No API key opens this. */
        get: operations["getWebhookEndpointsByIdDeliveries"];
    };
    "/api/webhook-endpoints/{id}/deliveries/{deliveryId}": {
        /** @description One delivery, with the body that was sent and the beginning of each answer. No API key opens this. */
        get: operations["getWebhookEndpointsByIdDeliveriesByDeliveryId"];
    };
    "/api/webhook-endpoints/{id}/deliveries/{deliveryId}/resend": {
        /** @description Sends a delivery again, with the same `webhook-id`. No API key opens this. */
        post: operations["postWebhookEndpointsByIdDeliveriesByDeliveryIdResend"];
    };
    "/api/subscriptions/create-checkout-session": {
        /** @description Opens a checkout at Stripe for a plan, and expires older open checkouts of the caller. No API key opens this. */
        post: operations["postSubscriptionsCreateCheckoutSession"];
    };
    "/api/subscriptions/current": {
        /** @description The caller’s subscription, also after it has ended. No API key opens this. */
        get: operations["getSubscriptionsCurrent"];
    };
    "/api/subscriptions/cancel": {
        /** @description Cancels the subscription at the end of the paid period; an unpaid one ends at once. No API key opens this. */
        post: operations["postSubscriptionsCancel"];
    };
    "/api/subscriptions/reactivate": {
        /** @description Undoes a scheduled cancellation. A subscription that has ended is not restored. No API key opens this. */
        post: operations["postSubscriptionsReactivate"];
    };
    "/api/subscriptions/plans": {
        /** @description The plans on sale. */
        get: operations["getSubscriptionsPlans"];
    };
    "/api/webhooks/stripe": {
        /** @description Stripe’s events. Takes Stripe’s signed body (`Stripe-Signature`). No API key opens this. */
        post: operations["postWebhooksStripe"];
    };
    "/api/media": {
        /** @description The library, newest first. API keys need `media:read`. */
        get: operations["getMedia"];
        /** @description Deletes items together with their gallery entries; unknown ids are skipped. API keys need `media:write`. */
        delete: operations["deleteMedia"];
    };
    "/api/media/{id}": {
        /** @description One item of the library. API keys need `media:read`. */
        get: operations["getMediaById"];
    };
    "/api/media/from-url": {
        /** @description Fetches a picture or video into the library. Its address must begin with https and be on the public internet, without a port or password. API keys need `media:write`. */
        post: operations["postMediaFromUrl"];
    };
    "/api/media/from-url/{jobId}": {
        /** @description The state of the fetch, for seven days. API keys need `media:read`. */
        get: operations["getMediaFromUrlByJobId"];
    };
    "/api/media/upload": {
        /** @description Adds files to the library, all or none. Takes multipart/form-data, each file in the field `files`. API keys need `media:write`. */
        post: operations["postMediaUpload"];
    };
    "/api/uploads": {
        /** @description Creates a tus upload; the body may contain the file or its beginning. Takes `Upload-Length` and `Upload-Metadata` with `filename` and `filetype`. API keys need `media:write`. */
        post: operations["postUploads"];
        /** @description The capabilities of this tus server (tus 1.0.0). Takes nothing. API keys need `media:write`. */
        options: operations["optionsUploads"];
    };
    "/api/uploads/{id}": {
        /** @description Cancels an upload. Takes nothing. API keys need `media:write`. */
        delete: operations["deleteUploadsById"];
        /** @description How many bytes of an upload have arrived. Takes nothing. API keys need `media:write`. */
        head: operations["getUploadsById"];
        /** @description Sends the next bytes of an upload. Takes `Upload-Offset` and `application/offset+octet-stream`. API keys need `media:write`. */
        patch: operations["patchUploadsById"];
    };
    "/api/uploads/{id}/poster": {
        /** @description Sets the poster of a video, before or after the video is complete. Takes the bytes of a JPEG, PNG or WebP of at most 1 MB. API keys need `media:write`. */
        post: operations["postUploadsByIdPoster"];
    };
    "/files/media/{id}/{form}": {
        /** @description A file of the caller’s library; `MediaItem` contains the addresses. Takes nothing. API keys need `media:read`. */
        get: operations["getFilesMediaByIdByForm"];
    };
    "/files/public/{token}": {
        /** @description A file by its signed address, which is valid for a day. Networks fetch media this way. Takes nothing. */
        get: operations["getFilesPublicByToken"];
    };
    "/api/networks": {
        /** @description The limits of each network for captions and media, and the options of its pages. For every network Flashsheet also limits a caption to 2,200 and a title to 90 characters. */
        get: operations["getNetworks"];
    };
    "/api/socials": {
        /** @description The networks that this installation can connect. API keys need `accounts:read`. */
        get: operations["getSocials"];
    };
    "/api/social-accounts": {
        /** @description The connected accounts with their pages, oldest first. API keys need `accounts:read`. */
        get: operations["getSocialAccounts"];
    };
    "/api/social-accounts/{id}": {
        /** @description Disconnects an account. Deletes its targets that have not begun; a target that is being published finishes first. No API key opens this. */
        delete: operations["deleteSocialAccountsById"];
    };
    "/api/social-accounts/{accountId}/pages/{pageId}": {
        /** @description Removes a page. Removing the last one also removes its account. No API key opens this. */
        delete: operations["deleteSocialAccountsByAccountIdPagesByPageId"];
    };
    "/api/social-accounts/{id}/token": {
        /** @description Refreshes the account’s tokens at its network now, or checks whether they are still valid if they cannot be refreshed. No API key opens this. */
        put: operations["putSocialAccountsByIdToken"];
    };
    "/files/page-pictures/{id}/{file}": {
        /** @description Our copy of a page’s picture. `SocialAccount` contains the address, which changes with the picture. Takes nothing. API keys need `accounts:read`. */
        get: operations["getFilesPagePicturesByIdByFile"];
    };
    "/api/webhooks/meta/deauthorize": {
        /** @description Meta’s callback when a person removes the app. Takes Meta’s `signed_request`. No API key opens this. */
        post: operations["postWebhooksMetaDeauthorize"];
    };
    "/api/webhooks/meta/data-deletion": {
        /** @description Meta’s callback when a person requests the deletion of their data. Takes Meta’s `signed_request`. No API key opens this. */
        post: operations["postWebhooksMetaDataDeletion"];
    };
    "/api/social-connect/{platform}": {
        /** @description Redirects a browser to a network’s consent page. Errors are JSON for a caller that does not accept text/html. Takes a browser with the session of a subscriber. No API key opens this. */
        get: operations["getSocialConnectByPlatform"];
    };
    "/api/social-connect/{platform}/callback": {
        /** @description The address to which a network redirects the browser. Takes a browser. No API key opens this. */
        get: operations["getSocialConnectByPlatformCallback"];
    };
    "/api/websitebuilder": {
        /** @description The artist’s site as stored by the builder; before the first save, the defaults of a new one. API keys need `site:read`. */
        get: operations["getWebsitebuilder"];
        /** @description Saves whole sections; omitted ones stay unchanged. A save with a `domainName` publishes the site, unless `published` is false. An image’s `url` is one from POST /api/websitebuilder/image. Changing `design.palette` sets the colours, unless `branding` is sent too. `sections.shown` lists the visible parts of the page in their order. `links.hidden` names what visitors do not see: `email`, `phone`, `address` (its street and map), and connected pages as `platform:pageId`. API keys need `site:write`. */
        post: operations["postWebsitebuilder"];
    };
    "/api/websitebuilder/gallery": {
        /** @description Appends items of the library to the gallery. API keys need `site:write`. */
        post: operations["postWebsitebuilderGallery"];
    };
    "/api/websitebuilder/gallery/{id}": {
        /** @description Removes an item from the gallery; it stays in the library. API keys need `site:write`. */
        delete: operations["deleteWebsitebuilderGalleryById"];
    };
    "/api/websitebuilder/gallery/{id}/flash": {
        /** @description Marks a picture of the gallery as available flash; `null` removes the mark. `id` is the media id. API keys need `site:write`. */
        put: operations["putWebsitebuilderGalleryByIdFlash"];
    };
    "/api/websitebuilder/upload": {
        /** @description Adds files to the library, and the pictures among them to the gallery, all or none. Takes multipart/form-data, each file in the field `files`. API keys need `site:write`. */
        post: operations["postWebsitebuilderUpload"];
    };
    "/api/websitebuilder/image": {
        /** @description Uploads a picture for the site (logo, background, profile). Takes multipart/form-data, one file in the field `file`. API keys need `site:write`. */
        post: operations["postWebsitebuilderImage"];
    };
    "/files/site-images/{id}": {
        /** @description A picture of a site in medium size, while the site is open. Takes nothing. */
        get: operations["getFilesSiteImagesById"];
    };
    "/files/site-images/{id}/{form}": {
        /** @description A picture of a site in a given size and format, while the site is open. Takes nothing. */
        get: operations["getFilesSiteImagesByIdByForm"];
    };
    "/files/gallery/{token}/{form}": {
        /** @description A gallery entry in a given size and format, while the site is open. Takes nothing. */
        get: operations["getFilesGalleryByTokenByForm"];
    };
    "/api/websitebuilder/preview": {
        /** @description The home page of the site as it would be after saving, for the builder’s preview frame. Takes a form with the site as JSON in `site`. API keys need `site:write`. */
        post: operations["postWebsitebuilderPreview"];
    };
    "/api/posts": {
        /** @description The caller’s posts, the most recently created first. `from` (inclusive) and `to` (exclusive) filter by the calendar date of a post: its scheduled time while it is scheduled, otherwise the time of its last change. API keys need `posts:read`. */
        get: operations["getPosts"];
        /** @description Posts to each page at once. `title` has at most 90 and `message` 2,200 characters. API keys need `posts:write`. */
        post: operations["postPosts"];
    };
    "/api/posts/schedule": {
        /** @description Schedules a post for a future time; up to 60 s in the past counts as now. `next-slot` means the next slot of the queue that is free for all of its pages. API keys need `posts:write`. */
        post: operations["postPostsSchedule"];
    };
    "/api/posts/{postId}": {
        /** @description One post. API keys need `posts:read`. */
        get: operations["getPostsByPostId"];
        /** @description Changes the time and texts of a post that has not begun. The `_id` of a variant is the one in `Post`. With `leavesQueue` the post is removed from the queue and keeps its time, unless a new one is sent. API keys need `posts:write`. */
        put: operations["putPostsByPostId"];
        /** @description Deletes a post that has not begun. API keys need `posts:write`. */
        delete: operations["deletePostsByPostId"];
    };
    "/api/posts/{postId}/retry": {
        /** @description Retries all failed pages, or the one of `variantId`. Posted pages are not affected. API keys need `posts:write`. */
        post: operations["postPostsByPostIdRetry"];
    };
    "/api/posts/{postId}/publish": {
        /** @description Publishes now the targets that wait for their time. API keys need `posts:write`. */
        post: operations["postPostsByPostIdPublish"];
    };
    "/api/queue": {
        /** @description The weekly times at which queued posts are published. API keys need `posts:read`. */
        get: operations["getQueue"];
        /** @description Changes the queue; omitted fields stay unchanged. With `previousSlots`, the `slots` that were read, slots that have changed since are not overwritten. Day 1 is Monday; a slot without `pages` is for all pages. Pausing holds the targets in the queue; resuming moves those that missed their slot to the next free ones. API keys need `posts:write`. */
        put: operations["putQueue"];
    };
    "/api/queue/next": {
        /** @description The next slots with at least one free page, and those pages; 5 slots, or `count` up to 50. API keys need `posts:read`. */
        get: operations["getQueueNext"];
    };
    "/api/webhooks/tiktok": {
        /** @description TikTok’s events about a post. They only bring our next status request forward. Takes TikTok’s signed body (`TikTok-Signature`). No API key opens this. */
        post: operations["postWebhooksTiktok"];
    };
    "/files/posts/{postId}/{position}": {
        /** @description The thumbnail of a post’s medium, also after the item was deleted. Takes nothing. API keys need `posts:read`. */
        get: operations["getFilesPostsByPostIdByPosition"];
    };
    "/api/drafts": {
        /** @description The artist’s drafts, the newest first. API keys need `posts:read`. */
        get: operations["getDrafts"];
        /** @description Stores a draft; at most 200. All fields are optional. API keys need `posts:write`. */
        post: operations["postDrafts"];
    };
    "/api/drafts/{draftId}": {
        /** @description One draft. API keys need `posts:read`. */
        get: operations["getDraftsByDraftId"];
        /** @description Changes a draft; omitted fields stay unchanged. `version` is the one that was read. API keys need `posts:write`. */
        put: operations["putDraftsByDraftId"];
        /** @description Deletes a draft. API keys need `posts:write`. */
        delete: operations["deleteDraftsByDraftId"];
    };
    "/api/drafts/{draftId}/post": {
        /** @description Posts a draft, and deletes it once the post is stored. A repeated call answers with the same post. API keys need `posts:write`. */
        post: operations["postDraftsByDraftIdPost"];
    };
    "/api/posts/{postId}/duplicate": {
        /** @description Stores a copy of a post as a draft, without pages that are no longer connected, media that were deleted, and TikTok’s options. API keys need `posts:write`. */
        post: operations["postPostsByPostIdDuplicate"];
    };
    "/api/admin/subscriptions/analytics": {
        /** @description The figures of the dashboard. No API key opens this. */
        get: operations["getAdminSubscriptionsAnalytics"];
    };
    "/api/admin/subscriptions/history": {
        /** @description Orders, with filters. An empty filter is none. No API key opens this. */
        get: operations["getAdminSubscriptionsHistory"];
    };
    "/api/admin/subscriptions/stats": {
        /** @description The totals above the list of orders. No API key opens this. */
        get: operations["getAdminSubscriptionsStats"];
    };
    "/api/admin/users": {
        /** @description The artists. `search` searches names and addresses. No API key opens this. */
        get: operations["getAdminUsers"];
    };
    "/api/admin/users/{id}": {
        /** @description Everything that staff see of one artist. No API key opens this. */
        get: operations["getAdminUsersById"];
        /** @description Changes an account; omitted fields stay unchanged. A new address must be verified again. No API key opens this. */
        put: operations["putAdminUsersById"];
        /** @description Deletes an account without a grace period. No API key opens this. */
        delete: operations["deleteAdminUsersById"];
    };
    "/api/admin/users/{id}/toggle-status": {
        /** @description Deactivates or reactivates an account. No API key opens this. */
        patch: operations["patchAdminUsersByIdToggleStatus"];
    };
    "/api/availability": {
        /** @description When clients can book: weekly hours, days off, and booking rules. `isSet` is false until they are saved for the first time. API keys need `bookings:read`. */
        get: operations["getAvailability"];
        /** @description Replaces all of it; omitted fields are removed. With `takesBookings: false` clients are offered no times. With `previous`, the hours that were read, hours that have changed since are not overwritten. API keys need `bookings:write`. */
        put: operations["putAvailability"];
    };
    "/api/appointments/booked": {
        /** @description The hours of a day at which no new 1 Hour Booking can begin. */
        get: operations["getAppointmentsBooked"];
    };
    "/api/appointments": {
        /** @description The artist’s appointments by their start, from `from` (inclusive) to `to` (exclusive). API keys need `bookings:read`. */
        get: operations["getAppointments"];
        /** @description Books an appointment: clients at any open site, an artist with a session only at their own. A `date` without a time is a day in the studio’s time zone; of an instant, the day in that zone counts. API keys need `bookings:write`. */
        post: operations["postAppointments"];
    };
    "/api/appointments/{id}": {
        /** @description Changes day, hour, status or notes; omitted fields stay unchanged. The client is notified. API keys need `bookings:write`. */
        put: operations["putAppointmentsById"];
        /** @description Deletes an appointment; a client who expects it is notified. API keys need `bookings:write`. */
        delete: operations["deleteAppointmentsById"];
    };
    "/api/openapi.json": {
        /** @description All paths as an OpenAPI 3.1 document. Takes nothing. */
        get: operations["getOpenapiJson"];
    };
}
export interface webhooks {
    ping: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onPing"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "post.scheduled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onPostScheduled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "post.posted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onPostPosted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "post.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onPostFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "post.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onPostDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "account.connected": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onAccountConnected"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "account.reconnect_needed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onAccountReconnectNeeded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "appointment.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onAppointmentCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "appointment.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onAppointmentUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "appointment.cancelled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onAppointmentCancelled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        ErrorBody: {
            message: string;
            code: string;
        };
        Message: {
            message: string;
        };
        UserInfo: {
            /** Format: uuid */
            _id: string;
            name: string;
            email: string;
            isAdmin: boolean;
            isActive: boolean;
            isEmailVerified: boolean;
            deletesAt?: string;
        };
        Me: {
            /** Format: uuid */
            _id: string;
            name: string;
            email: string;
            plan: ("social-line-work" | "complete-shading") | null;
            timeZone: string;
            scopes: ("posts:read" | "posts:write" | "media:read" | "media:write" | "accounts:read" | "site:read" | "site:write" | "bookings:read" | "bookings:write" | "numbers:read")[] | null;
        };
        ApiKey: {
            /** Format: uuid */
            _id: string;
            name: string;
            prefix: string;
            scopes: ("posts:read" | "posts:write" | "media:read" | "media:write" | "accounts:read" | "site:read" | "site:write" | "bookings:read" | "bookings:write" | "numbers:read")[];
            createdAt: string;
            lastUsedAt: string | null;
            expiresAt: string | null;
        };
        NewApiKey: {
            /** Format: uuid */
            _id: string;
            name: string;
            prefix: string;
            scopes: ("posts:read" | "posts:write" | "media:read" | "media:write" | "accounts:read" | "site:read" | "site:write" | "bookings:read" | "bookings:write" | "numbers:read")[];
            createdAt: string;
            lastUsedAt: string | null;
            expiresAt: string | null;
            key: string;
        };
        Deleted: {
            /** @constant */
            deleted: true;
        };
        RegisteredClient: {
            /** Format: uuid */
            client_id: string;
            client_id_issued_at: number;
            client_name: string;
            redirect_uris: string[];
            /** @constant */
            token_endpoint_auth_method: "none";
            grant_types: string[];
            response_types: string[];
        };
        IssuedTokens: {
            access_token: string;
            /** @constant */
            token_type: "Bearer";
            expires_in: number;
            refresh_token: string;
            scope: string;
        };
        WebhookEndpoint: {
            /** Format: uuid */
            _id: string;
            url: string;
            events: ("ping" | "post.scheduled" | "post.posted" | "post.failed" | "post.deleted" | "account.connected" | "account.reconnect_needed" | "appointment.created" | "appointment.updated" | "appointment.cancelled")[];
            description: string;
            active: boolean;
            createdAt: string;
            disabledAt: string | null;
            disabledReason: ("switched_off" | "gone" | "failing") | null;
            lastDelivery: {
                at: string;
                /** @enum {string} */
                state: "pending" | "delivered" | "failed";
            } | null;
        };
        NewWebhookEndpoint: {
            /** Format: uuid */
            _id: string;
            url: string;
            events: ("ping" | "post.scheduled" | "post.posted" | "post.failed" | "post.deleted" | "account.connected" | "account.reconnect_needed" | "appointment.created" | "appointment.updated" | "appointment.cancelled")[];
            description: string;
            active: boolean;
            createdAt: string;
            disabledAt: string | null;
            disabledReason: ("switched_off" | "gone" | "failing") | null;
            lastDelivery: {
                at: string;
                /** @enum {string} */
                state: "pending" | "delivered" | "failed";
            } | null;
            secret: string;
        };
        WebhookSecret: {
            secret: string;
        };
        WebhookSent: {
            /** Format: uuid */
            _id: string;
        };
        WebhookDelivery: {
            /** Format: uuid */
            _id: string;
            /** Format: uuid */
            eventId: string;
            /** @enum {string} */
            type: "ping" | "post.scheduled" | "post.posted" | "post.failed" | "post.deleted" | "account.connected" | "account.reconnect_needed" | "appointment.created" | "appointment.updated" | "appointment.cancelled";
            at: string;
            attempts: {
                at: string;
                status: number | null;
                ms: number;
                error: string | null;
            }[];
            /** @enum {string} */
            state: "pending" | "delivered" | "failed";
            nextAt: string | null;
        };
        WebhookDeliveryDetail: {
            /** Format: uuid */
            _id: string;
            /** Format: uuid */
            eventId: string;
            /** @enum {string} */
            type: "ping" | "post.scheduled" | "post.posted" | "post.failed" | "post.deleted" | "account.connected" | "account.reconnect_needed" | "appointment.created" | "appointment.updated" | "appointment.cancelled";
            at: string;
            attempts: {
                at: string;
                status: number | null;
                ms: number;
                error: string | null;
                answer: string;
            }[];
            /** @enum {string} */
            state: "pending" | "delivered" | "failed";
            nextAt: string | null;
            body: string;
        };
        WebhookPing: {
            message: string;
            version: number;
        };
        WebhookPost: {
            /** Format: uuid */
            _id: string;
            /** @enum {string} */
            status: "scheduled" | "posted" | "failed";
            scheduledAt: string;
            updatedAt: string;
            errorMessage: string | null;
            mediaIds: string[];
            media: {
                /** @enum {string} */
                type: "image" | "video";
                url: string;
                thumbnailUrl: string;
                fileName: string;
                name: string;
                _id: string | null;
            }[];
            variants: {
                /** Format: uuid */
                _id: string;
                /** @enum {string} */
                platform: "facebook" | "instagram" | "tiktok" | "youtube" | "linkedin";
                /** Format: uuid */
                postId: string;
                socialAccountId: string | null;
                pageId: string;
                pageName: string;
                title: string;
                message: string;
                options: {
                    tiktok?: {
                        /** @enum {string} */
                        privacyLevel: "PUBLIC_TO_EVERYONE" | "MUTUAL_FOLLOW_FRIENDS" | "FOLLOWER_OF_CREATOR" | "SELF_ONLY";
                        /** @default false */
                        allowComment: boolean;
                        /** @default false */
                        allowDuet: boolean;
                        /** @default false */
                        allowStitch: boolean;
                        /** @default false */
                        yourBrand: boolean;
                        /** @default false */
                        brandedContent: boolean;
                    };
                    youtube?: {
                        /**
                         * @default public
                         * @enum {string}
                         */
                        privacyStatus: "public" | "unlisted" | "private";
                        /** @default false */
                        madeForKids: boolean;
                    };
                };
                crops?: ({
                    x: number;
                    y: number;
                    width: number;
                    height: number;
                } | null)[];
                /** @enum {string} */
                status: "scheduled" | "posted" | "failed";
                /** @enum {string} */
                phase: "scheduled" | "claimed" | "preparing" | "publishing" | "unknown" | "confirming" | "posted" | "failed";
                progress: number | null;
                errorMessage: string | null;
                nextTryAt: string | null;
                mayBeThere: ("unclear" | "draft" | "private" | "inbox") | null;
                pageUrl: string | null;
                permalink: string | null;
            }[];
            toGallery?: boolean;
            /** @enum {string} */
            queue?: "placed" | "paused";
            version: number;
            /** @constant */
            isShortened?: true;
        };
        WebhookAccount: {
            /** Format: uuid */
            _id: string;
            /** @enum {string} */
            platform: "facebook" | "instagram" | "tiktok" | "youtube" | "linkedin";
            providerName: string;
            providerUserId: string;
            /** @enum {string} */
            health: "ok" | "reconnect";
            reconnectBy: string | null;
            pages: {
                pageId: string;
                name: string;
                username: string | null;
                picture: string | null;
                connectedAt: string | null;
            }[];
            version: number;
        };
        WebhookAppointment: {
            /** Format: uuid */
            _id: string;
            domainName: string;
            /** @enum {string} */
            bookingType: "1 Hour Booking" | "1/2 Day Booking" | "Full Day Booking";
            /** @enum {string} */
            timeSlot: "9:00am-10:00am" | "10:00am-11:00am" | "11:00am-12:00pm" | "12:00pm-1:00pm" | "1:00pm-2:00pm" | "2:00pm-3:00pm" | "3:00pm-4:00pm" | "4:00pm-5:00pm" | "5:00pm-6:00pm" | "6:00pm-7:00pm" | "7:00pm-8:00pm" | "8:00pm-9:00pm";
            date: string;
            endsAt: string;
            /** @enum {string} */
            status: "completed" | "confirmed" | "pending" | "cancelled";
            answerBy: string | null;
            createdAt: string;
            version: number;
        };
        Plan: {
            /** @enum {string} */
            id: "social-line-work" | "complete-shading";
            name: string;
            price: number;
            currency: string;
            features: string[];
        };
        Subscription: {
            /** @enum {string} */
            plan: "social-line-work" | "complete-shading";
            /** @enum {string} */
            status: "active" | "past_due" | "canceled" | "unpaid" | "incomplete";
            currentPeriodStart: string | null;
            currentPeriodEnd: string | null;
            cancelAtPeriodEnd: boolean;
        };
        CheckoutSession: {
            url: string;
        };
        MediaItem: {
            /** Format: uuid */
            _id: string;
            /** @enum {string} */
            type: "image" | "video";
            url: string;
            thumbnailUrl: string;
            fileName: string;
            name: string;
            /** @enum {string} */
            mimeType: "image/jpeg" | "image/png" | "video/mp4" | "video/quicktime";
            size: number;
            createdAt: string;
            dimensions: {
                width: number;
                height: number;
            };
            duration: number | null;
            encoding: {
                codec: string | null;
                audioCodec: string | null;
                fps: number | null;
            } | null;
        };
        FromUrlJob: {
            /** Format: uuid */
            _id: string;
        };
        FromUrlState: {
            /** @enum {string} */
            state: "fetching" | "done" | "failed";
            item?: components["schemas"]["MediaItem"];
            message?: string;
        };
        DeletedCount: {
            deleted: number;
        };
        MediaInUse: {
            message: string;
            posts: {
                /** Format: uuid */
                _id: string;
                status: string;
                scheduledAt: string;
                title: string;
                mediaIds: string[];
            }[];
        };
        Network: {
            /** @enum {string} */
            platform: "facebook" | "instagram" | "tiktok" | "youtube" | "linkedin";
            name: string;
            caption: {
                max: number;
                /** @enum {string} */
                counts: "utf16" | "bytes";
            };
            title?: {
                max: number;
                /** @enum {string} */
                counts: "utf16" | "bytes";
            };
            hashtags?: {
                max: number;
                advised: number;
            };
            mentions?: {
                max: number;
            };
            media: {
                images: {
                    count: number;
                    types: ("image/jpeg" | "image/png")[];
                    bytes?: number;
                    width?: {
                        min?: number;
                        max?: number;
                    };
                    ratio?: {
                        min?: number;
                        max?: number;
                    };
                } | null;
                video: {
                    count: number;
                    seconds: {
                        min?: number;
                        max?: number;
                    };
                    bytes: {
                        min?: number;
                        max?: number;
                    };
                    framesPerSecond?: {
                        min?: number;
                        max?: number;
                    };
                    side?: {
                        min?: number;
                        max?: number;
                    };
                    width?: {
                        min?: number;
                        max?: number;
                    };
                    ratio?: {
                        min?: number;
                        max?: number;
                    };
                    megabitsPerSecond?: number;
                    codecs?: string[];
                    audioCodecs?: string[];
                };
            };
            extras: string[];
        };
        PlatformDescriptor: {
            /** @enum {string} */
            _id: "facebook" | "instagram" | "tiktok" | "youtube" | "linkedin";
            /** @enum {string} */
            platform: "facebook" | "instagram" | "tiktok" | "youtube" | "linkedin";
        };
        SocialAccount: {
            /** Format: uuid */
            _id: string;
            /** @enum {string} */
            platform: "facebook" | "instagram" | "tiktok" | "youtube" | "linkedin";
            providerName: string;
            providerUserId: string;
            /** @enum {string} */
            health: "ok" | "reconnect";
            reconnectBy: string | null;
            pages: {
                pageId: string;
                name: string;
                username: string | null;
                picture: string | null;
                connectedAt: string | null;
            }[];
        };
        Site: {
            gallery: string[];
            published: boolean;
            personalInfo: {
                name: string;
                shopName: string;
                domainName: string;
                about: string;
                email: string;
                phone: string;
            };
            address: {
                shopAddress: string;
                city: string;
                state: string;
                zip: string;
            };
            branding: {
                backgroundColor: string;
                textColor: string;
                buttonColor: string;
                hoverColor: string;
            };
            images: {
                logoImage: components["schemas"]["SiteImage"] | null;
                backgroundImage: components["schemas"]["SiteImage"] | null;
                profileImage: components["schemas"]["SiteImage"] | null;
            };
            design: {
                /** @enum {string} */
                layout: "gallery" | "portrait" | "flash";
                palette: ("bone" | "night" | "chalk" | "sailor" | "moss" | "rose") | null;
            };
            links: {
                hidden: string[];
            };
            sections: {
                shown: ("work" | "flash" | "services" | "about" | "guestSpots" | "hours" | "questions" | "aftercare" | "book" | "contact")[];
                services: {
                    name: string;
                    price: string;
                    note: string;
                }[];
                questions: {
                    question: string;
                    answer: string;
                }[];
                aftercare: string;
                guestSpots: {
                    place: string;
                    from: string;
                    to: string;
                }[];
            };
        };
        SiteImage: {
            url: string;
            fileName: string;
            size: number;
            uploadedAt: string;
        };
        Gallery: {
            gallery: string[];
        };
        GalleryItem: {
            /** Format: uuid */
            _id: string;
            altText: string;
            isPublic: boolean;
            flash: {
                title: string;
                price: string;
                isTaken: boolean;
            } | null;
        };
        Post: {
            /** Format: uuid */
            _id: string;
            /** @enum {string} */
            status: "scheduled" | "posted" | "failed";
            scheduledAt: string;
            updatedAt: string;
            errorMessage: string | null;
            mediaIds: string[];
            media: {
                /** @enum {string} */
                type: "image" | "video";
                url: string;
                thumbnailUrl: string;
                fileName: string;
                name: string;
                _id: string | null;
            }[];
            variants: {
                /** Format: uuid */
                _id: string;
                /** @enum {string} */
                platform: "facebook" | "instagram" | "tiktok" | "youtube" | "linkedin";
                /** Format: uuid */
                postId: string;
                socialAccountId: string | null;
                pageId: string;
                pageName: string;
                title: string;
                message: string;
                options: {
                    tiktok?: {
                        /** @enum {string} */
                        privacyLevel: "PUBLIC_TO_EVERYONE" | "MUTUAL_FOLLOW_FRIENDS" | "FOLLOWER_OF_CREATOR" | "SELF_ONLY";
                        /** @default false */
                        allowComment: boolean;
                        /** @default false */
                        allowDuet: boolean;
                        /** @default false */
                        allowStitch: boolean;
                        /** @default false */
                        yourBrand: boolean;
                        /** @default false */
                        brandedContent: boolean;
                    };
                    youtube?: {
                        /**
                         * @default public
                         * @enum {string}
                         */
                        privacyStatus: "public" | "unlisted" | "private";
                        /** @default false */
                        madeForKids: boolean;
                    };
                };
                crops?: ({
                    x: number;
                    y: number;
                    width: number;
                    height: number;
                } | null)[];
                /** @enum {string} */
                status: "scheduled" | "posted" | "failed";
                /** @enum {string} */
                phase: "scheduled" | "claimed" | "preparing" | "publishing" | "unknown" | "confirming" | "posted" | "failed";
                progress: number | null;
                errorMessage: string | null;
                nextTryAt: string | null;
                mayBeThere: ("unclear" | "draft" | "private" | "inbox") | null;
                pageUrl: string | null;
                permalink: string | null;
            }[];
            toGallery?: boolean;
            /** @enum {string} */
            queue?: "placed" | "paused";
        };
        Draft: {
            title: string;
            mediaIds: string[];
            variants: {
                /** @enum {string} */
                platform: "facebook" | "instagram" | "tiktok" | "youtube" | "linkedin";
                pageId: string;
                title: string;
                message: string;
                options: {
                    tiktok?: {
                        /** @enum {string} */
                        privacyLevel: "PUBLIC_TO_EVERYONE" | "MUTUAL_FOLLOW_FRIENDS" | "FOLLOWER_OF_CREATOR" | "SELF_ONLY";
                        /** @default false */
                        allowComment: boolean;
                        /** @default false */
                        allowDuet: boolean;
                        /** @default false */
                        allowStitch: boolean;
                        /** @default false */
                        yourBrand: boolean;
                        /** @default false */
                        brandedContent: boolean;
                    };
                    youtube?: {
                        /**
                         * @default public
                         * @enum {string}
                         */
                        privacyStatus: "public" | "unlisted" | "private";
                        /** @default false */
                        madeForKids: boolean;
                    };
                };
                crops?: ({
                    x: number;
                    y: number;
                    width: number;
                    height: number;
                } | null)[];
                /** Format: uuid */
                socialAccountId: string;
            }[];
            scheduledAt: string | null;
            /** Format: uuid */
            _id: string;
            version: number;
            createdAt: string;
            updatedAt: string;
        };
        Queue: {
            timeZone: string;
            paused: boolean;
            slots: {
                days: number[];
                time: string;
                pages?: {
                    /** Format: uuid */
                    socialAccountId: string;
                    pageId: string;
                }[];
            }[];
        };
        FreeSlot: {
            at: string;
            pages: {
                /** Format: uuid */
                socialAccountId: string;
                pageId: string;
            }[];
        };
        PostResult: {
            /** Format: uuid */
            _id: string;
            scheduledAt: string;
            targets: {
                pageId: string;
                /** @enum {string} */
                status: "scheduled" | "posted" | "failed";
                /** @enum {string} */
                phase: "scheduled" | "claimed" | "preparing" | "publishing" | "unknown" | "confirming" | "posted" | "failed";
                socialAccountId: string;
            }[];
        };
        Appointment: {
            /** Format: uuid */
            _id: string;
            domainName: string;
            /** @enum {string} */
            bookingType: "1 Hour Booking" | "1/2 Day Booking" | "Full Day Booking";
            /** @enum {string} */
            timeSlot: "9:00am-10:00am" | "10:00am-11:00am" | "11:00am-12:00pm" | "12:00pm-1:00pm" | "1:00pm-2:00pm" | "2:00pm-3:00pm" | "3:00pm-4:00pm" | "4:00pm-5:00pm" | "5:00pm-6:00pm" | "6:00pm-7:00pm" | "7:00pm-8:00pm" | "8:00pm-9:00pm";
            date: string;
            endsAt: string;
            /** @enum {string} */
            status: "completed" | "confirmed" | "pending" | "cancelled";
            notes: string;
            contact: {
                name: string;
                email: string;
                phone: string;
            };
            answerBy: string | null;
            createdAt: string;
        };
        FreeTime: {
            date: string;
            /** @enum {string} */
            timeSlot: "9:00am-10:00am" | "10:00am-11:00am" | "11:00am-12:00pm" | "12:00pm-1:00pm" | "1:00pm-2:00pm" | "2:00pm-3:00pm" | "3:00pm-4:00pm" | "4:00pm-5:00pm" | "5:00pm-6:00pm" | "6:00pm-7:00pm" | "7:00pm-8:00pm" | "8:00pm-9:00pm";
        };
        OwnHours: {
            /** @default true */
            takesBookings: boolean;
            weekly: ({
                from: number;
                to: number;
                /** @default [] */
                breaks: {
                    from: number;
                    to: number;
                }[];
            } | null)[];
            blocks: {
                /** Format: date */
                firstDay: string;
                /** Format: date */
                lastDay: string;
                /** @default 0 */
                from: number;
                /** @default 1440 */
                to: number;
                /** @default  */
                reason: string;
            }[];
            noticeHours: number;
            horizonDays: number | null;
            bufferMinutes: number;
            lengths: {
                "1 Hour Booking": number;
                "1/2 Day Booking": number;
                "Full Day Booking": number;
            };
            moveNoticeHours: number | null;
            timeZone: string;
            isSet: boolean;
        };
        AdminUser: {
            /** Format: uuid */
            _id: string;
            name: string;
            email: string;
            isActive: boolean;
            isAdmin: boolean;
            isEmailVerified: boolean;
            createdAt: string;
            deletion: ("asked" | "running") | null;
            phone: string | null;
            location: string | null;
            subscription?: {
                /** @enum {string} */
                plan: "social-line-work" | "complete-shading";
                /** @enum {string} */
                status: "active" | "past_due" | "canceled" | "unpaid" | "incomplete";
            };
        };
        UsersPage: {
            users: components["schemas"]["AdminUser"][];
            pagination: {
                current: number;
                pages: number;
                total: number;
                hasNext: boolean;
                hasPrev: boolean;
                more: boolean;
            };
            stats: {
                totalUsers: number;
                activeUsers: number;
                subscribedUsers: number;
                newUsersToday: number;
            };
        };
        ArtistDetail: {
            /** Format: uuid */
            _id: string;
            name: string;
            email: string;
            isActive: boolean;
            isAdmin: boolean;
            isEmailVerified: boolean;
            createdAt: string;
            deletion: ("asked" | "running") | null;
            phone: string | null;
            location: string | null;
            subscription?: {
                /** @enum {string} */
                plan: "social-line-work" | "complete-shading";
                /** @enum {string} */
                status: "active" | "past_due" | "canceled" | "unpaid" | "incomplete";
                currentPeriodEnd: string | null;
                cancelAtPeriodEnd: boolean;
            };
            timeZone: string;
            stripeCustomerId: string | null;
            stripeUrl: string | null;
            orders: {
                /** Format: uuid */
                _id: string;
                stripeCustomerId: string | null;
                user: {
                    /** Format: uuid */
                    _id: string;
                    name: string;
                    email: string;
                } | null;
                /** @enum {string} */
                plan: "social-line-work" | "complete-shading";
                amount: number;
                refunded: number;
                /** @enum {string} */
                action: "created" | "updated" | "renewed" | "canceled" | "reactivated" | "payment_failed" | "payment_succeeded" | "past_due" | "unpaid";
                /** @enum {string} */
                status: "active" | "past_due" | "canceled" | "unpaid" | "incomplete";
                createdAt: string;
            }[];
            accounts: {
                /** Format: uuid */
                _id: string;
                /** @enum {string} */
                platform: "facebook" | "instagram" | "tiktok" | "youtube" | "linkedin";
                providerName: string;
                /** @enum {string} */
                health: "ok" | "reconnect";
                pages: number;
                connectedAt: string;
            }[];
            posts: {
                scheduled: number;
                posted: number;
                failed: number;
                recent: {
                    /** Format: uuid */
                    _id: string;
                    title: string;
                    /** @enum {string} */
                    status: "scheduled" | "posted" | "failed";
                    scheduledAt: string;
                    errorMessage: string | null;
                }[];
            };
            media: {
                items: number;
                bytes: number;
            };
            site: {
                domainName: string;
                isPublic: boolean;
                url: string;
            } | null;
        };
        HistoryPage: {
            history: {
                /** Format: uuid */
                _id: string;
                stripeCustomerId: string | null;
                user: {
                    /** Format: uuid */
                    _id: string;
                    name: string;
                    email: string;
                } | null;
                /** @enum {string} */
                plan: "social-line-work" | "complete-shading";
                amount: number;
                refunded: number;
                /** @enum {string} */
                action: "created" | "updated" | "renewed" | "canceled" | "reactivated" | "payment_failed" | "payment_succeeded" | "past_due" | "unpaid";
                /** @enum {string} */
                status: "active" | "past_due" | "canceled" | "unpaid" | "incomplete";
                createdAt: string;
            }[];
            pagination: {
                current: number;
                pages: number;
                total: number;
                hasNext: boolean;
                hasPrev: boolean;
                more: boolean;
            };
        };
        SubscriptionStats: {
            socialLineWork: number;
            completeShading: number;
            totalRevenue: number;
            changes: {
                socialLineWork: number | null;
                completeShading: number | null;
            };
            since: string | null;
        };
        AdminAnalytics: {
            current: {
                totalSubscriptions: number;
                activeSubscriptions: number;
                totalRevenue: number;
                monthlyRecurringRevenue: number;
                socialLineWorkSubscriptions: number;
                completeShadingSubscriptions: number;
                socialLineWorkRevenue: number;
                completeShadingRevenue: number;
                newSubscriptionsToday: number;
                averageRevenuePerUser: number;
            };
            changes: {
                totalSubscriptions: number | null;
                activeSubscriptions: number | null;
                totalRevenue: number | null;
                monthlyRecurringRevenue: number | null;
            };
            growthRate: number | null;
            churnRate: number | null;
            churn: {
                left: number;
                of: number;
            };
            movement: {
                start: number;
                new: number;
                reactivation: number;
                expansion: number;
                contraction: number;
                churn: number;
                end: number;
            };
            addsUp: boolean;
            atRisk: {
                pastDue: number;
                leaving: number;
                leavingMrr: number;
            };
            recentOrders: {
                /** Format: uuid */
                _id: string;
                stripeCustomerId: string | null;
                user: {
                    /** Format: uuid */
                    _id: string;
                    name: string;
                    email: string;
                } | null;
                /** @enum {string} */
                plan: "social-line-work" | "complete-shading";
                amount: number;
                refunded: number;
                /** @enum {string} */
                action: "created" | "updated" | "renewed" | "canceled" | "reactivated" | "payment_failed" | "payment_succeeded" | "past_due" | "unpaid";
                /** @enum {string} */
                status: "active" | "past_due" | "canceled" | "unpaid" | "incomplete";
                createdAt: string;
            }[];
        };
        /** @description RFC 9457, for callers who accept application/problem+json. */
        Problem: components["schemas"]["ErrorBody"] & {
            type: string;
            title: string;
            status: number;
            detail: string;
            instance?: string;
        };
    };
    responses: {
        /** @description The input is invalid; `fields` names the fields. */
        Refusal400: {
            content: {
                "application/json": components["schemas"]["ErrorBody"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Not logged in, or the API key is not valid (`key`). */
        Refusal401: {
            content: {
                "application/json": components["schemas"]["ErrorBody"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The caller is not allowed to: `scope`, `no_subscription`, `plan`, `unverified`, `deactivated`, `leaving`, `origin`, `admin`. */
        Refusal403: {
            content: {
                "application/json": components["schemas"]["ErrorBody"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description It does not exist, or belongs to another artist. */
        Refusal404: {
            content: {
                "application/json": components["schemas"]["ErrorBody"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description It conflicts with the current state. */
        Refusal409: {
            content: {
                "application/json": components["schemas"]["ErrorBody"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Unsupported version of the protocol; `Tus-Version` names the supported one. */
        Refusal412: {
            content: {
                "application/json": components["schemas"]["ErrorBody"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description It is too large. */
        Refusal413: {
            content: {
                "application/json": components["schemas"]["ErrorBody"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Unsupported content type of a chunk. */
        Refusal415: {
            content: {
                "application/json": components["schemas"]["ErrorBody"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Another request is still sending this file. */
        Refusal423: {
            content: {
                "application/json": components["schemas"]["ErrorBody"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Too many requests; `Retry-After` says when to retry. */
        Refusal429: {
            content: {
                "application/json": components["schemas"]["ErrorBody"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Stripe or a network refused or did not answer. */
        Refusal502: {
            content: {
                "application/json": components["schemas"]["ErrorBody"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description A service that the answer needs is unavailable; `Retry-After` says when to retry. */
        Refusal503: {
            content: {
                "application/json": components["schemas"]["ErrorBody"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The storage is full; `Retry-After` says when to retry. */
        Refusal507: {
            content: {
                "application/json": components["schemas"]["ErrorBody"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: {
        /** @description Of your choice. The same key with the same content answers the first result; with other content it is 409. */
        IdempotencyKey: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    postUsers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    email: string;
                    password: string;
                    timeZone?: string;
                };
            };
        };
        responses: {
            /** @description `Message` */
            201: {
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    postUsersAuth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: string;
                    password: string;
                };
            };
        };
        responses: {
            /** @description `UserInfo`, and the session cookie; 401 for a wrong password */
            200: {
                content: {
                    "application/json": components["schemas"]["UserInfo"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    postUsersLogout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description `Message` */
            200: {
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    postUsersVerifyEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    token: string;
                };
            };
        };
        responses: {
            /** @description `UserInfo`, and the session cookie; 400 for a token that is used, expired or unknown */
            200: {
                content: {
                    "application/json": components["schemas"]["UserInfo"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    postUsersResendVerification: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: string;
                };
            };
        };
        responses: {
            /** @description `Message`, whether or not there is such an account */
            200: {
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    postUsersForgotPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: string;
                };
            };
        };
        responses: {
            /** @description `Message`, whether or not there is such an account */
            200: {
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    postUsersResetPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    token: string;
                    newPassword: string;
                };
            };
        };
        responses: {
            /** @description `Message`; it starts no session */
            200: {
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    putUsersProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    _id: string;
                    name?: string;
                    email?: string;
                    password?: string;
                    currentPassword?: string;
                };
            };
        };
        responses: {
            /** @description `UserInfo`, and a new session cookie after a new password or a request for another address */
            200: {
                content: {
                    "application/json": components["schemas"]["UserInfo"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    getAuthGoogle: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 302 */
            302: {
                content?: never;
            };
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    getAuthGoogleCallback: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 302 to a screen, with the session cookie or an error message */
            302: {
                content?: never;
            };
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description `Me` */
            200: {
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    getKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description a list of `ApiKey` */
            200: {
                content: {
                    "application/json": components["schemas"]["ApiKey"][];
                };
            };
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    postKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    scopes: ("posts:read" | "posts:write" | "media:read" | "media:write" | "accounts:read" | "site:read" | "site:write" | "bookings:read" | "bookings:write" | "numbers:read")[];
                    expiresAt?: (string) | null;
                };
            };
        };
        responses: {
            /** @description `NewApiKey`; 409 `full` at the twenty-first */
            201: {
                content: {
                    "application/json": components["schemas"]["NewApiKey"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    deleteKeysById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description `Deleted` */
            200: {
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    getWellKnownOauthProtectedResource: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            401: components["responses"]["Refusal401"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    getWellKnownOauthProtectedResourceMcp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            401: components["responses"]["Refusal401"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    getWellKnownOauthAuthorizationServer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            401: components["responses"]["Refusal401"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    getOauthAuthorize: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 302 to /connect-assistant */
            302: {
                content?: never;
            };
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    postOauthRegister: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    client_name?: string;
                    redirect_uris: string[];
                };
            };
        };
        responses: {
            /** @description `RegisteredClient`; 400 `{ error, error_description }` */
            201: {
                content: {
                    "application/json": components["schemas"]["RegisteredClient"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    postOauthToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    grant_type?: string;
                    code?: string;
                    redirect_uri?: string;
                    code_verifier?: string;
                    refresh_token?: string;
                    client_id?: string;
                    resource?: string;
                    token?: string;
                    token_type_hint?: string;
                };
            };
        };
        responses: {
            /** @description `IssuedTokens`; 400 `{ error, error_description }` */
            200: {
                content: {
                    "application/json": components["schemas"]["IssuedTokens"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    postOauthRevoke: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    grant_type?: string;
                    code?: string;
                    redirect_uri?: string;
                    code_verifier?: string;
                    refresh_token?: string;
                    client_id?: string;
                    resource?: string;
                    token?: string;
                    token_type_hint?: string;
                };
            };
        };
        responses: {
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    getWebhookEndpoints: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description a list of `WebhookEndpoint` */
            200: {
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"][];
                };
            };
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    postWebhookEndpoints: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice. The same key with the same content answers the first result; with other content it is 409. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    url: string;
                    events: ("ping" | "post.scheduled" | "post.posted" | "post.failed" | "post.deleted" | "account.connected" | "account.reconnect_needed" | "appointment.created" | "appointment.updated" | "appointment.cancelled")[];
                    /** @default  */
                    description?: string;
                };
            };
        };
        responses: {
            /** @description `NewWebhookEndpoint`; 409 `full` at the eleventh */
            201: {
                content: {
                    "application/json": components["schemas"]["NewWebhookEndpoint"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    putWebhookEndpointsById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    url?: string;
                    events?: ("ping" | "post.scheduled" | "post.posted" | "post.failed" | "post.deleted" | "account.connected" | "account.reconnect_needed" | "appointment.created" | "appointment.updated" | "appointment.cancelled")[];
                    description?: string;
                    active?: boolean;
                };
            };
        };
        responses: {
            /** @description `WebhookEndpoint` */
            200: {
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    deleteWebhookEndpointsById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description `Deleted` */
            200: {
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    postWebhookEndpointsByIdRotate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description `WebhookSecret`; 409 when too many secrets sign already */
            200: {
                content: {
                    "application/json": components["schemas"]["WebhookSecret"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    postWebhookEndpointsByIdTest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description `WebhookSent`: the delivery; 409 while the endpoint is switched off */
            202: {
                content: {
                    "application/json": components["schemas"]["WebhookSent"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    getWebhookEndpointsByIdDeliveries: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description a list of `WebhookDelivery` */
            200: {
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"][];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    getWebhookEndpointsByIdDeliveriesByDeliveryId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description `WebhookDeliveryDetail` */
            200: {
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryDetail"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    postWebhookEndpointsByIdDeliveriesByDeliveryIdResend: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description `WebhookSent`; 409 while the endpoint is switched off */
            202: {
                content: {
                    "application/json": components["schemas"]["WebhookSent"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    postSubscriptionsCreateCheckoutSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    plan: "social-line-work" | "complete-shading";
                };
            };
        };
        responses: {
            /** @description `CheckoutSession`: the address to send the browser to; 409 while a subscription is active or past due */
            200: {
                content: {
                    "application/json": components["schemas"]["CheckoutSession"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            429: components["responses"]["Refusal429"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    getSubscriptionsCurrent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description `Subscription`; 404 if there never was one */
            200: {
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    postSubscriptionsCancel: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description `Subscription` */
            200: {
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            429: components["responses"]["Refusal429"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    postSubscriptionsReactivate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description `Subscription` */
            200: {
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            429: components["responses"]["Refusal429"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    getSubscriptionsPlans: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description a list of `Plan`; prices in cents a month */
            200: {
                content: {
                    "application/json": components["schemas"]["Plan"][];
                };
            };
            401: components["responses"]["Refusal401"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    postWebhooksStripe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 once the event is stored; 400 without a valid signature */
            200: {
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    getMedia: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description a list of `MediaItem` */
            200: {
                headers: {
                    /** @description `rel="next"`: the next page, if there is one. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MediaItem"][];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    deleteMedia: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    ids: string[];
                };
            };
        };
        responses: {
            /** @description `DeletedCount`; 404 when all are unknown; 409 `MediaInUse`, without deleting any, when a post that is not final uses one of them */
            200: {
                content: {
                    "application/json": components["schemas"]["DeletedCount"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    getMediaById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description `MediaItem` */
            200: {
                content: {
                    "application/json": components["schemas"]["MediaItem"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    postMediaFromUrl: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice. The same key with the same content answers the first result; with other content it is 409. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    url: string;
                };
            };
        };
        responses: {
            /** @description `FromUrlJob`; 400 for an address that is not allowed, 409 `full`, or 409 for an id that was used with another address */
            202: {
                content: {
                    "application/json": components["schemas"]["FromUrlJob"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    getMediaFromUrlByJobId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description `FromUrlState`: `item` once it is done, `message` when it failed */
            200: {
                content: {
                    "application/json": components["schemas"]["FromUrlState"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    postMediaUpload: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice. The same key with the same content answers the first result; with other content it is 409. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    files: Blob[];
                };
            };
        };
        responses: {
            /** @description a list of `MediaItem` in the order sent; 409 also when the `Idempotency-Key` was used with another form */
            201: {
                content: {
                    "application/json": components["schemas"]["MediaItem"][];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            507: components["responses"]["Refusal507"];
        };
    };
    postUploads: {
        parameters: {
            query?: never;
            header: {
                /** @description The version of the protocol. */
                "Tus-Resumable": "1.0.0";
                /** @description Bytes of the file. */
                "Upload-Length": number;
                /** @description `filename` and `filetype`, each followed by its value in base 64. */
                "Upload-Metadata": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 201 with `Location` */
            201: {
                headers: {
                    /** @description Where the pieces go. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            409: components["responses"]["Refusal409"];
            412: components["responses"]["Refusal412"];
            413: components["responses"]["Refusal413"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            507: components["responses"]["Refusal507"];
        };
    };
    optionsUploads: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 204 with `Tus-Version`, `Tus-Extension`, `Tus-Max-Size` */
            204: {
                content?: never;
            };
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    deleteUploadsById: {
        parameters: {
            query?: never;
            header: {
                /** @description The version of the protocol. */
                "Tus-Resumable": "1.0.0";
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 204 */
            204: {
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            412: components["responses"]["Refusal412"];
            413: components["responses"]["Refusal413"];
            423: components["responses"]["Refusal423"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    getUploadsById: {
        parameters: {
            query?: never;
            header: {
                /** @description The version of the protocol. */
                "Tus-Resumable": "1.0.0";
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 with `Upload-Offset`, and with `Media-Id` once it is in the library */
            200: {
                headers: {
                    /** @description Bytes that have arrived. */
                    "Upload-Offset"?: number;
                    /** @description Once it is in the library. */
                    "Media-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            412: components["responses"]["Refusal412"];
            423: components["responses"]["Refusal423"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    patchUploadsById: {
        parameters: {
            query?: never;
            header: {
                /** @description The version of the protocol. */
                "Tus-Resumable": "1.0.0";
                /** @description Bytes that have arrived. */
                "Upload-Offset": number;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/offset+octet-stream": Blob;
            };
        };
        responses: {
            /** @description 204 with `Upload-Offset`, and with `Media-Id` once the file is in the library; 400 when its bytes are refused */
            204: {
                headers: {
                    /** @description Bytes that have arrived. */
                    "Upload-Offset"?: number;
                    /** @description With the last piece: the item of the library. */
                    "Media-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            412: components["responses"]["Refusal412"];
            413: components["responses"]["Refusal413"];
            415: components["responses"]["Refusal415"];
            423: components["responses"]["Refusal423"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            507: components["responses"]["Refusal507"];
        };
    };
    postUploadsByIdPoster: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "image/*": Blob;
            };
        };
        responses: {
            /** @description 204 */
            204: {
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            507: components["responses"]["Refusal507"];
        };
    };
    getFilesMediaByIdByForm: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                form: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the bytes, with ranges and an ETag */
            200: {
                content: {
                    "*/*": Blob;
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    getFilesPublicByToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the bytes, with ranges and an ETag */
            200: {
                content: {
                    "*/*": Blob;
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            404: components["responses"]["Refusal404"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    getNetworks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description a list of `Network` */
            200: {
                content: {
                    "application/json": components["schemas"]["Network"][];
                };
            };
            401: components["responses"]["Refusal401"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    getSocials: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description a list of `PlatformDescriptor` */
            200: {
                content: {
                    "application/json": components["schemas"]["PlatformDescriptor"][];
                };
            };
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    getSocialAccounts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description a list of `SocialAccount` */
            200: {
                content: {
                    "application/json": components["schemas"]["SocialAccount"][];
                };
            };
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    deleteSocialAccountsById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description `Message` */
            200: {
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    deleteSocialAccountsByAccountIdPagesByPageId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                accountId: string;
                pageId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description `Message` */
            200: {
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    putSocialAccountsByIdToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description `SocialAccount`; 409 `{ message, reconnectUrl }` when the account has to be connected again */
            200: {
                content: {
                    "application/json": components["schemas"]["SocialAccount"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            429: components["responses"]["Refusal429"];
            502: components["responses"]["Refusal502"];
            503: components["responses"]["Refusal503"];
        };
    };
    getFilesPagePicturesByIdByFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the bytes, with ranges and an ETag */
            200: {
                content: {
                    "*/*": Blob;
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    postWebhooksMetaDeauthorize: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200; 400 without a valid signature */
            200: {
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    postWebhooksMetaDataDeletion: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200 with `url` and `confirmation_code`; 400 without a valid signature */
            200: {
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    getSocialConnectByPlatform: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                platform: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 302 */
            302: {
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    getSocialConnectByPlatformCallback: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                platform: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 302 to /social-accounts with `connected=<platform>` or `error=<message>` */
            302: {
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    getWebsitebuilder: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description `Site` */
            200: {
                content: {
                    "application/json": components["schemas"]["Site"];
                };
            };
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    postWebsitebuilder: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    published?: boolean;
                    personalInfo?: {
                        name: string;
                        /** @default  */
                        shopName?: string;
                        domainName: string;
                        /** @default  */
                        about?: string;
                        /** @default  */
                        email?: string;
                        /** @default  */
                        phone?: string;
                    };
                    address?: {
                        /** @default  */
                        shopAddress?: string;
                        /** @default  */
                        city?: string;
                        /** @default  */
                        state?: string;
                        /** @default  */
                        zip?: string;
                    };
                    branding?: {
                        backgroundColor?: string;
                        textColor?: string;
                        buttonColor?: string;
                        hoverColor?: string;
                    };
                    images?: {
                        logoImage?: {
                            url: string;
                        } | null;
                        backgroundImage?: {
                            url: string;
                        } | null;
                        profileImage?: {
                            url: string;
                        } | null;
                    };
                    design?: {
                        /**
                         * @default gallery
                         * @enum {string}
                         */
                        layout?: "gallery" | "portrait" | "flash";
                        /** @default null */
                        palette?: ("bone" | "night" | "chalk" | "sailor" | "moss" | "rose") | null;
                    };
                    links?: {
                        hidden?: string[];
                    };
                    sections?: {
                        /**
                         * @default [
                         *       "work",
                         *       "about",
                         *       "book",
                         *       "contact"
                         *     ]
                         */
                        shown?: ("work" | "flash" | "services" | "about" | "guestSpots" | "hours" | "questions" | "aftercare" | "book" | "contact")[];
                        /** @default [] */
                        services?: {
                            name: string;
                            /** @default  */
                            price?: string;
                            /** @default  */
                            note?: string;
                        }[];
                        /** @default [] */
                        questions?: {
                            question: string;
                            answer: string;
                        }[];
                        /** @default  */
                        aftercare?: string;
                        /** @default [] */
                        guestSpots?: {
                            place: string;
                            /** Format: date */
                            from: string;
                            /** Format: date */
                            to: string;
                        }[];
                    };
                };
            };
        };
        responses: {
            /** @description `Site`; 409 when another artist has the name */
            200: {
                content: {
                    "application/json": components["schemas"]["Site"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    postWebsitebuilderGallery: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    ids: string[];
                };
            };
        };
        responses: {
            /** @description `Gallery`; 404 when none of them is in the library */
            200: {
                content: {
                    "application/json": components["schemas"]["Gallery"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    deleteWebsitebuilderGalleryById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description `Gallery` */
            200: {
                content: {
                    "application/json": components["schemas"]["Gallery"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    putWebsitebuilderGalleryByIdFlash: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    flash: {
                        title: string;
                        /** @default  */
                        price?: string;
                        /** @default false */
                        isTaken?: boolean;
                    } | null;
                };
            };
        };
        responses: {
            /** @description a list of `GalleryItem`, the gallery with the fields that only its artist sees; 404 when the picture is not in it */
            200: {
                content: {
                    "application/json": components["schemas"]["GalleryItem"][];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    postWebsitebuilderUpload: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice. The same key with the same content answers the first result; with other content it is 409. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    files: Blob[];
                };
            };
        };
        responses: {
            /** @description a list of `MediaItem`; 409 also when the `Idempotency-Key` was used with another form */
            201: {
                content: {
                    "application/json": components["schemas"]["MediaItem"][];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            507: components["responses"]["Refusal507"];
        };
    };
    postWebsitebuilderImage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice. The same key with the same content answers the first result; with other content it is 409. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    file: Blob;
                };
            };
        };
        responses: {
            /** @description `SiteImage`; 409 when the `Idempotency-Key` was used with another form */
            200: {
                content: {
                    "application/json": components["schemas"]["SiteImage"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
            507: components["responses"]["Refusal507"];
        };
    };
    getFilesSiteImagesById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the bytes, with ranges and an ETag */
            200: {
                content: {
                    "*/*": Blob;
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            404: components["responses"]["Refusal404"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    getFilesSiteImagesByIdByForm: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                form: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the bytes, with ranges and an ETag */
            200: {
                content: {
                    "*/*": Blob;
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            404: components["responses"]["Refusal404"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    getFilesGalleryByTokenByForm: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
                form: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the bytes, with ranges and an ETag */
            200: {
                content: {
                    "*/*": Blob;
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            404: components["responses"]["Refusal404"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    postWebsitebuilderPreview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    site?: string;
                };
            };
        };
        responses: {
            /** @description HTML */
            200: {
                content: {
                    "text/html": Blob;
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    getPosts: {
        parameters: {
            query?: {
                from?: string;
                to?: string;
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description a list of `Post` */
            200: {
                headers: {
                    /** @description `rel="next"`: the next page, if there is one. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Post"][];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    postPosts: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice. The same key with the same content answers the first result; with other content it is 409. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    mediaIds: string[];
                    variants: {
                        /** @enum {string} */
                        platform: "facebook" | "instagram" | "tiktok" | "youtube" | "linkedin";
                        /** Format: uuid */
                        socialAccountId: string;
                        pageId: string;
                        /** @default  */
                        title?: string;
                        /** @default  */
                        message?: string;
                        options?: {
                            tiktok?: {
                                /** @enum {string} */
                                privacyLevel: "PUBLIC_TO_EVERYONE" | "MUTUAL_FOLLOW_FRIENDS" | "FOLLOWER_OF_CREATOR" | "SELF_ONLY";
                                /** @default false */
                                allowComment?: boolean;
                                /** @default false */
                                allowDuet?: boolean;
                                /** @default false */
                                allowStitch?: boolean;
                                /** @default false */
                                yourBrand?: boolean;
                                /** @default false */
                                brandedContent?: boolean;
                            };
                            youtube?: {
                                /**
                                 * @default public
                                 * @enum {string}
                                 */
                                privacyStatus?: "public" | "unlisted" | "private";
                                /** @default false */
                                madeForKids?: boolean;
                            };
                        };
                        crops?: ({
                            x: number;
                            y: number;
                            width: number;
                            height: number;
                        } | null)[];
                    }[];
                    toGallery?: boolean;
                };
            };
        };
        responses: {
            /** @description `PostResult`; GET /api/posts shows the outcome. 400 with `fields`, 409 for an id that was used for another post */
            202: {
                content: {
                    "application/json": components["schemas"]["PostResult"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    postPostsSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice. The same key with the same content answers the first result; with other content it is 409. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    mediaIds: string[];
                    variants: {
                        /** @enum {string} */
                        platform: "facebook" | "instagram" | "tiktok" | "youtube" | "linkedin";
                        /** Format: uuid */
                        socialAccountId: string;
                        pageId: string;
                        /** @default  */
                        title?: string;
                        /** @default  */
                        message?: string;
                        options?: {
                            tiktok?: {
                                /** @enum {string} */
                                privacyLevel: "PUBLIC_TO_EVERYONE" | "MUTUAL_FOLLOW_FRIENDS" | "FOLLOWER_OF_CREATOR" | "SELF_ONLY";
                                /** @default false */
                                allowComment?: boolean;
                                /** @default false */
                                allowDuet?: boolean;
                                /** @default false */
                                allowStitch?: boolean;
                                /** @default false */
                                yourBrand?: boolean;
                                /** @default false */
                                brandedContent?: boolean;
                            };
                            youtube?: {
                                /**
                                 * @default public
                                 * @enum {string}
                                 */
                                privacyStatus?: "public" | "unlisted" | "private";
                                /** @default false */
                                madeForKids?: boolean;
                            };
                        };
                        crops?: ({
                            x: number;
                            y: number;
                            width: number;
                            height: number;
                        } | null)[];
                    }[];
                    toGallery?: boolean;
                    scheduledAt: (string) | "next-slot";
                };
            };
        };
        responses: {
            /** @description `PostResult`; 409 when the queue has no such slot */
            201: {
                content: {
                    "application/json": components["schemas"]["PostResult"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    getPostsByPostId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                postId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description `Post` */
            200: {
                content: {
                    "application/json": components["schemas"]["Post"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    putPostsByPostId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                postId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    scheduledAt?: string;
                    leavesQueue?: boolean;
                    variants?: {
                        /** Format: uuid */
                        _id: string;
                        title?: string;
                        message?: string;
                    }[];
                };
            };
        };
        responses: {
            /** @description `Post`; 409 once it is final or a worker has claimed one of its targets */
            200: {
                content: {
                    "application/json": components["schemas"]["Post"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    deletePostsByPostId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                postId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description `Deleted`; 409 once one of its targets is posted, failed or being published */
            200: {
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    postPostsByPostIdRetry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                postId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** Format: uuid */
                    variantId?: string;
                };
            };
        };
        responses: {
            /** @description `Post`; 409 when none has failed, or when the post may be at its network */
            200: {
                content: {
                    "application/json": components["schemas"]["Post"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    postPostsByPostIdPublish: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                postId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description `Post`; 409 when none waits */
            200: {
                content: {
                    "application/json": components["schemas"]["Post"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    getQueue: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description `Queue` */
            200: {
                content: {
                    "application/json": components["schemas"]["Queue"];
                };
            };
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    putQueue: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    timeZone?: string;
                    paused?: boolean;
                    slots?: {
                        days: number[];
                        time: string;
                        pages?: {
                            /** Format: uuid */
                            socialAccountId: string;
                            pageId: string;
                        }[];
                    }[];
                    previousSlots?: {
                        days: number[];
                        time: string;
                        pages?: {
                            /** Format: uuid */
                            socialAccountId: string;
                            pageId: string;
                        }[];
                    }[];
                };
            };
        };
        responses: {
            /** @description `Queue`; 400 for pages that are not the artist’s, 409 when a waiting target would have no slot, 409 with the `current` queue when its slots are not `previousSlots` */
            200: {
                content: {
                    "application/json": components["schemas"]["Queue"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    getQueueNext: {
        parameters: {
            query?: {
                count?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description a list of `FreeSlot` */
            200: {
                content: {
                    "application/json": components["schemas"]["FreeSlot"][];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    postWebhooksTiktok: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description 200; 400 without a valid signature */
            200: {
                content?: never;
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    getFilesPostsByPostIdByPosition: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                postId: string;
                position: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description a WebP picture */
            200: {
                content: {
                    "*/*": Blob;
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    getDrafts: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description a list of `Draft` */
            200: {
                headers: {
                    /** @description `rel="next"`: the next page, if there is one. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Draft"][];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    postDrafts: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice. The same key with the same content answers the first result; with other content it is 409. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    title?: string;
                    mediaIds?: string[];
                    variants?: {
                        /** @enum {string} */
                        platform: "facebook" | "instagram" | "tiktok" | "youtube" | "linkedin";
                        /** Format: uuid */
                        socialAccountId: string;
                        pageId: string;
                        /** @default  */
                        title?: string;
                        /** @default  */
                        message?: string;
                        options?: {
                            tiktok?: {
                                /** @enum {string} */
                                privacyLevel: "PUBLIC_TO_EVERYONE" | "MUTUAL_FOLLOW_FRIENDS" | "FOLLOWER_OF_CREATOR" | "SELF_ONLY";
                                /** @default false */
                                allowComment?: boolean;
                                /** @default false */
                                allowDuet?: boolean;
                                /** @default false */
                                allowStitch?: boolean;
                                /** @default false */
                                yourBrand?: boolean;
                                /** @default false */
                                brandedContent?: boolean;
                            };
                            youtube?: {
                                /**
                                 * @default public
                                 * @enum {string}
                                 */
                                privacyStatus?: "public" | "unlisted" | "private";
                                /** @default false */
                                madeForKids?: boolean;
                            };
                        };
                        crops?: ({
                            x: number;
                            y: number;
                            width: number;
                            height: number;
                        } | null)[];
                    }[];
                    scheduledAt?: (string) | null;
                };
            };
        };
        responses: {
            /** @description `Draft`; 400 for media and pages that are not the artist’s, 409 `full` at the 201st */
            201: {
                content: {
                    "application/json": components["schemas"]["Draft"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    getDraftsByDraftId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                draftId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description `Draft` */
            200: {
                content: {
                    "application/json": components["schemas"]["Draft"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    putDraftsByDraftId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                draftId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    version: number;
                    title?: string;
                    mediaIds?: string[];
                    variants?: {
                        /** @enum {string} */
                        platform: "facebook" | "instagram" | "tiktok" | "youtube" | "linkedin";
                        /** Format: uuid */
                        socialAccountId: string;
                        pageId: string;
                        /** @default  */
                        title?: string;
                        /** @default  */
                        message?: string;
                        options?: {
                            tiktok?: {
                                /** @enum {string} */
                                privacyLevel: "PUBLIC_TO_EVERYONE" | "MUTUAL_FOLLOW_FRIENDS" | "FOLLOWER_OF_CREATOR" | "SELF_ONLY";
                                /** @default false */
                                allowComment?: boolean;
                                /** @default false */
                                allowDuet?: boolean;
                                /** @default false */
                                allowStitch?: boolean;
                                /** @default false */
                                yourBrand?: boolean;
                                /** @default false */
                                brandedContent?: boolean;
                            };
                            youtube?: {
                                /**
                                 * @default public
                                 * @enum {string}
                                 */
                                privacyStatus?: "public" | "unlisted" | "private";
                                /** @default false */
                                madeForKids?: boolean;
                            };
                        };
                        crops?: ({
                            x: number;
                            y: number;
                            width: number;
                            height: number;
                        } | null)[];
                    }[];
                    scheduledAt?: (string) | null;
                };
            };
        };
        responses: {
            /** @description `Draft`; 409 with the `current` draft when its version has changed */
            200: {
                content: {
                    "application/json": components["schemas"]["Draft"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    deleteDraftsByDraftId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                draftId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description `Deleted` */
            200: {
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    postDraftsByDraftIdPost: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                draftId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    when: ("now" | "next-slot") | (string);
                    version?: number;
                    mediaIds?: string[];
                    variants?: {
                        /** @enum {string} */
                        platform: "facebook" | "instagram" | "tiktok" | "youtube" | "linkedin";
                        /** Format: uuid */
                        socialAccountId: string;
                        pageId: string;
                        /** @default  */
                        title?: string;
                        /** @default  */
                        message?: string;
                        options?: {
                            tiktok?: {
                                /** @enum {string} */
                                privacyLevel: "PUBLIC_TO_EVERYONE" | "MUTUAL_FOLLOW_FRIENDS" | "FOLLOWER_OF_CREATOR" | "SELF_ONLY";
                                /** @default false */
                                allowComment?: boolean;
                                /** @default false */
                                allowDuet?: boolean;
                                /** @default false */
                                allowStitch?: boolean;
                                /** @default false */
                                yourBrand?: boolean;
                                /** @default false */
                                brandedContent?: boolean;
                            };
                            youtube?: {
                                /**
                                 * @default public
                                 * @enum {string}
                                 */
                                privacyStatus?: "public" | "unlisted" | "private";
                                /** @default false */
                                madeForKids?: boolean;
                            };
                        };
                        crops?: ({
                            x: number;
                            y: number;
                            width: number;
                            height: number;
                        } | null)[];
                    }[];
                    toGallery?: boolean;
                };
            };
        };
        responses: {
            /** @description `PostResult`; 400 for reasons that refuse a post, 409 when the draft was posted with another time */
            202: {
                content: {
                    "application/json": components["schemas"]["PostResult"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    postPostsByPostIdDuplicate: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice. The same key with the same content answers the first result; with other content it is 409. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                postId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description `Draft`; 409 `full` at the 201st */
            201: {
                content: {
                    "application/json": components["schemas"]["Draft"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    getAdminSubscriptionsAnalytics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description `AdminAnalytics`; money in cents */
            200: {
                content: {
                    "application/json": components["schemas"]["AdminAnalytics"];
                };
            };
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    getAdminSubscriptionsHistory: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                search?: string;
                sortBy?: "createdAt";
                sortOrder?: "asc" | "desc";
                plan?: "social-line-work" | "complete-shading";
                status?: "active" | "past_due" | "canceled" | "unpaid" | "incomplete";
                action?: "created" | "updated" | "renewed" | "canceled" | "reactivated" | "payment_failed" | "payment_succeeded" | "past_due" | "unpaid";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description `HistoryPage` */
            200: {
                content: {
                    "application/json": components["schemas"]["HistoryPage"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    getAdminSubscriptionsStats: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description `SubscriptionStats` */
            200: {
                content: {
                    "application/json": components["schemas"]["SubscriptionStats"];
                };
            };
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    getAdminUsers: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                search?: string;
                sortBy?: "createdAt" | "name" | "email";
                sortOrder?: "asc" | "desc";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description `UsersPage` */
            200: {
                content: {
                    "application/json": components["schemas"]["UsersPage"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    getAdminUsersById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description `ArtistDetail` */
            200: {
                content: {
                    "application/json": components["schemas"]["ArtistDetail"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    putAdminUsersById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    name?: string;
                    email?: string;
                    isActive?: boolean;
                    isAdmin?: boolean;
                };
            };
        };
        responses: {
            /** @description `AdminUser`; 409 for the caller’s own account, the last admin, or a taken address */
            200: {
                content: {
                    "application/json": components["schemas"]["AdminUser"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    deleteAdminUsersById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description `Message`; 409 for the caller’s own account or the last admin */
            200: {
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    patchAdminUsersByIdToggleStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description `AdminUser` */
            200: {
                content: {
                    "application/json": components["schemas"]["AdminUser"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    getAvailability: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description `OwnHours` */
            200: {
                content: {
                    "application/json": components["schemas"]["OwnHours"];
                };
            };
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    putAvailability: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @default true */
                    takesBookings?: boolean;
                    weekly: ({
                        from: number;
                        to: number;
                        /** @default [] */
                        breaks?: {
                            from: number;
                            to: number;
                        }[];
                    } | null)[];
                    blocks: {
                        /** Format: date */
                        firstDay: string;
                        /** Format: date */
                        lastDay: string;
                        /** @default 0 */
                        from?: number;
                        /** @default 1440 */
                        to?: number;
                        /** @default  */
                        reason?: string;
                    }[];
                    noticeHours: number;
                    horizonDays: number | null;
                    bufferMinutes: number;
                    lengths: {
                        "1 Hour Booking": number;
                        "1/2 Day Booking": number;
                        "Full Day Booking": number;
                    };
                    moveNoticeHours: number | null;
                    previous?: {
                        /** @default true */
                        takesBookings?: boolean;
                        weekly: ({
                            from: number;
                            to: number;
                            /** @default [] */
                            breaks?: {
                                from: number;
                                to: number;
                            }[];
                        } | null)[];
                        blocks: {
                            /** Format: date */
                            firstDay: string;
                            /** Format: date */
                            lastDay: string;
                            /** @default 0 */
                            from?: number;
                            /** @default 1440 */
                            to?: number;
                            /** @default  */
                            reason?: string;
                        }[];
                        noticeHours: number;
                        horizonDays: number | null;
                        bufferMinutes: number;
                        lengths: {
                            "1 Hour Booking": number;
                            "1/2 Day Booking": number;
                            "Full Day Booking": number;
                        };
                        moveNoticeHours: number | null;
                    };
                };
            };
        };
        responses: {
            /** @description `OwnHours`; 409 with the `current` hours when they are not `previous` */
            200: {
                content: {
                    "application/json": components["schemas"]["OwnHours"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    getAppointmentsBooked: {
        parameters: {
            query: {
                domainName: string;
                date: string | (string);
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description a list of labels, such as `"11:00am-12:00pm"`; 404 for a site that cannot be booked */
            200: {
                content: {
                    "application/json": string[];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            404: components["responses"]["Refusal404"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    getAppointments: {
        parameters: {
            query?: {
                from?: string;
                to?: string;
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description a list of `Appointment` */
            200: {
                headers: {
                    /** @description `rel="next"`: the next page, if there is one. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Appointment"][];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    postAppointments: {
        parameters: {
            query?: never;
            header?: {
                /** @description Of your choice. The same key with the same content answers the first result; with other content it is 409. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    domainName: string;
                    /**
                     * @default 1 Hour Booking
                     * @enum {string}
                     */
                    bookingType?: "1 Hour Booking" | "1/2 Day Booking" | "Full Day Booking";
                    /** @enum {string} */
                    timeSlot: "9:00am-10:00am" | "10:00am-11:00am" | "11:00am-12:00pm" | "12:00pm-1:00pm" | "1:00pm-2:00pm" | "2:00pm-3:00pm" | "3:00pm-4:00pm" | "4:00pm-5:00pm" | "5:00pm-6:00pm" | "6:00pm-7:00pm" | "7:00pm-8:00pm" | "8:00pm-9:00pm";
                    date: string | (string);
                    /** @default {} */
                    contact?: {
                        /** @default  */
                        name?: string;
                        /** @default  */
                        email?: string;
                        /** @default  */
                        phone?: string;
                    };
                    /** @default  */
                    notes?: string;
                };
            };
        };
        responses: {
            /** @description `Appointment`; 409 `{ message, next }` with three `FreeTime` when the time is taken */
            201: {
                content: {
                    "application/json": components["schemas"]["Appointment"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    putAppointmentsById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    date?: string | (string);
                    /** @enum {string} */
                    timeSlot?: "9:00am-10:00am" | "10:00am-11:00am" | "11:00am-12:00pm" | "12:00pm-1:00pm" | "1:00pm-2:00pm" | "2:00pm-3:00pm" | "3:00pm-4:00pm" | "4:00pm-5:00pm" | "5:00pm-6:00pm" | "6:00pm-7:00pm" | "7:00pm-8:00pm" | "8:00pm-9:00pm";
                    /** @enum {string} */
                    status?: "completed" | "confirmed" | "pending" | "cancelled";
                    notes?: string;
                };
            };
        };
        responses: {
            /** @description `Appointment`; 409 as above */
            200: {
                content: {
                    "application/json": components["schemas"]["Appointment"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    deleteAppointmentsById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description `Message` */
            200: {
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["Refusal400"];
            401: components["responses"]["Refusal401"];
            403: components["responses"]["Refusal403"];
            404: components["responses"]["Refusal404"];
            409: components["responses"]["Refusal409"];
            413: components["responses"]["Refusal413"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    getOpenapiJson: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description an OpenAPI document */
            200: {
                content: {
                    "application/json": {
                        /** @constant */
                        openapi: "3.1.0";
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            401: components["responses"]["Refusal401"];
            429: components["responses"]["Refusal429"];
            503: components["responses"]["Refusal503"];
        };
    };
    onPing: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same for each attempt. */
                "webhook-id": string;
                /** @description The time of this attempt, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description As in Standard Webhooks: `v1,` and a signature in base64; several, separated by spaces, while a replaced secret also signs. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "ping";
                    /** Format: date-time */
                    timestamp: string;
                    data: components["schemas"]["WebhookPing"];
                };
            };
        };
        responses: {
            /** @description This address no longer exists: the endpoint is disabled. */
            410: {
                content?: never;
            };
            /** @description Received. Any other answer, or none within 15 seconds, is retried. */
            "2XX": {
                content?: never;
            };
        };
    };
    onPostScheduled: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same for each attempt. */
                "webhook-id": string;
                /** @description The time of this attempt, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description As in Standard Webhooks: `v1,` and a signature in base64; several, separated by spaces, while a replaced secret also signs. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "post.scheduled";
                    /** Format: date-time */
                    timestamp: string;
                    data: components["schemas"]["WebhookPost"];
                };
            };
        };
        responses: {
            /** @description This address no longer exists: the endpoint is disabled. */
            410: {
                content?: never;
            };
            /** @description Received. Any other answer, or none within 15 seconds, is retried. */
            "2XX": {
                content?: never;
            };
        };
    };
    onPostPosted: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same for each attempt. */
                "webhook-id": string;
                /** @description The time of this attempt, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description As in Standard Webhooks: `v1,` and a signature in base64; several, separated by spaces, while a replaced secret also signs. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "post.posted";
                    /** Format: date-time */
                    timestamp: string;
                    data: components["schemas"]["WebhookPost"];
                };
            };
        };
        responses: {
            /** @description This address no longer exists: the endpoint is disabled. */
            410: {
                content?: never;
            };
            /** @description Received. Any other answer, or none within 15 seconds, is retried. */
            "2XX": {
                content?: never;
            };
        };
    };
    onPostFailed: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same for each attempt. */
                "webhook-id": string;
                /** @description The time of this attempt, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description As in Standard Webhooks: `v1,` and a signature in base64; several, separated by spaces, while a replaced secret also signs. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "post.failed";
                    /** Format: date-time */
                    timestamp: string;
                    data: components["schemas"]["WebhookPost"];
                };
            };
        };
        responses: {
            /** @description This address no longer exists: the endpoint is disabled. */
            410: {
                content?: never;
            };
            /** @description Received. Any other answer, or none within 15 seconds, is retried. */
            "2XX": {
                content?: never;
            };
        };
    };
    onPostDeleted: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same for each attempt. */
                "webhook-id": string;
                /** @description The time of this attempt, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description As in Standard Webhooks: `v1,` and a signature in base64; several, separated by spaces, while a replaced secret also signs. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "post.deleted";
                    /** Format: date-time */
                    timestamp: string;
                    data: components["schemas"]["WebhookPost"];
                };
            };
        };
        responses: {
            /** @description This address no longer exists: the endpoint is disabled. */
            410: {
                content?: never;
            };
            /** @description Received. Any other answer, or none within 15 seconds, is retried. */
            "2XX": {
                content?: never;
            };
        };
    };
    onAccountConnected: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same for each attempt. */
                "webhook-id": string;
                /** @description The time of this attempt, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description As in Standard Webhooks: `v1,` and a signature in base64; several, separated by spaces, while a replaced secret also signs. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "account.connected";
                    /** Format: date-time */
                    timestamp: string;
                    data: components["schemas"]["WebhookAccount"];
                };
            };
        };
        responses: {
            /** @description This address no longer exists: the endpoint is disabled. */
            410: {
                content?: never;
            };
            /** @description Received. Any other answer, or none within 15 seconds, is retried. */
            "2XX": {
                content?: never;
            };
        };
    };
    onAccountReconnectNeeded: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same for each attempt. */
                "webhook-id": string;
                /** @description The time of this attempt, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description As in Standard Webhooks: `v1,` and a signature in base64; several, separated by spaces, while a replaced secret also signs. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "account.reconnect_needed";
                    /** Format: date-time */
                    timestamp: string;
                    data: components["schemas"]["WebhookAccount"];
                };
            };
        };
        responses: {
            /** @description This address no longer exists: the endpoint is disabled. */
            410: {
                content?: never;
            };
            /** @description Received. Any other answer, or none within 15 seconds, is retried. */
            "2XX": {
                content?: never;
            };
        };
    };
    onAppointmentCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same for each attempt. */
                "webhook-id": string;
                /** @description The time of this attempt, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description As in Standard Webhooks: `v1,` and a signature in base64; several, separated by spaces, while a replaced secret also signs. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "appointment.created";
                    /** Format: date-time */
                    timestamp: string;
                    data: components["schemas"]["WebhookAppointment"];
                };
            };
        };
        responses: {
            /** @description This address no longer exists: the endpoint is disabled. */
            410: {
                content?: never;
            };
            /** @description Received. Any other answer, or none within 15 seconds, is retried. */
            "2XX": {
                content?: never;
            };
        };
    };
    onAppointmentUpdated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same for each attempt. */
                "webhook-id": string;
                /** @description The time of this attempt, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description As in Standard Webhooks: `v1,` and a signature in base64; several, separated by spaces, while a replaced secret also signs. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "appointment.updated";
                    /** Format: date-time */
                    timestamp: string;
                    data: components["schemas"]["WebhookAppointment"];
                };
            };
        };
        responses: {
            /** @description This address no longer exists: the endpoint is disabled. */
            410: {
                content?: never;
            };
            /** @description Received. Any other answer, or none within 15 seconds, is retried. */
            "2XX": {
                content?: never;
            };
        };
    };
    onAppointmentCancelled: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same for each attempt. */
                "webhook-id": string;
                /** @description The time of this attempt, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description As in Standard Webhooks: `v1,` and a signature in base64; several, separated by spaces, while a replaced secret also signs. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "appointment.cancelled";
                    /** Format: date-time */
                    timestamp: string;
                    data: components["schemas"]["WebhookAppointment"];
                };
            };
        };
        responses: {
            /** @description This address no longer exists: the endpoint is disabled. */
            410: {
                content?: never;
            };
            /** @description Received. Any other answer, or none within 15 seconds, is retried. */
            "2XX": {
                content?: never;
            };
        };
    };
}
