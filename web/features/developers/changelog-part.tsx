/** Changes that programs can notice, newest first. */
const changes: readonly { on: string; words: string }[] = [
  {
    on: '2026-11-27',
    words:
      'timeSlot of an appointment is the slot in the time zone of the studio now, also after it has changed the zone.',
  },
  {
    on: '2026-11-27',
    words: 'POST /api/media/from-url answers 429 while 20 files of the artist are being fetched.',
  },
  { on: '2026-11-27', words: 'Line breaks in names, titles and other fields of one line are stored as spaces.' },
  {
    on: '2026-11-27',
    words: 'post.scheduled is also sent when a post is published now, and when its failed pages are retried.',
  },
  {
    on: '2026-11-27',
    words:
      'A repeat with the Idempotency-Key of a post that was deleted since is refused with 409, for 30 days. It created the post again.',
  },
  {
    on: '2026-11-26',
    words:
      'The queue and the booking hours are not overwritten if a call sends what it has read: previousSlots of PUT /api/queue, previous of PUT /api/availability.',
  },
  { on: '2026-11-23', words: 'Assistants: tools at /mcp, by API key or by consent (OAuth 2.1).' },
  {
    on: '2026-11-23',
    words:
      'The OpenAPI document names each refusal of a call and has examples of bodies; tus gives problem details on request.',
  },
  { on: '2026-11-23', words: 'Webhooks: endpoints, signed deliveries, and their types in the OpenAPI document.' },
  {
    on: '2026-11-23',
    words:
      'One post by its id; delete, retry, publish now and duplicate; media from an address; pages of lists by Link.',
  },
  { on: '2026-11-23', words: 'API keys with scopes, rate limits, problem details, and the OpenAPI document.' },
]

const dayOf = (iso: string) =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(iso))

export function ChangelogPart() {
  return (
    <>
      <h2 id="changelog">Changes</h2>
      <p>
        Paths, inputs, answers and codes stay. New ones may be added, so ignore what you do not know. A removal is
        announced a year ahead.
      </p>
      <ul>
        {changes.map(({ on, words }) => (
          <li key={words}>
            <time dateTime={on}>{dayOf(on)}</time>: {words}
          </li>
        ))}
      </ul>
    </>
  )
}
