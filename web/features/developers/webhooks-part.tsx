import { webhookLimits, webhookTypes } from '@flashsheet/contracts/webhooks/limits'
import { webhookTypeLabels } from '@flashsheet/contracts/webhooks/messages'
import { Link } from '@tanstack/react-router'
import { CodeBlock } from './code-block.tsx'
import { webhookSnippets } from './webhook-snippets.ts'

export function WebhooksPart() {
  return (
    <>
      <h2 id="webhooks">Webhooks</h2>
      <p>
        Instead of polling, let us call your server. Add its address in{' '}
        <Link to="/settings/developers">Settings, under Developers</Link>, pick the events, and keep the secret that is
        shown once. It has to be an https address on the public internet, without a port or password.
      </p>
      <p>
        Each call is a POST with <code>{'{ type, timestamp, data }'}</code>; <code>data</code> is the thing in the shape
        of the API, with a <code>version</code>: the order of calls is not guaranteed, so of two events about the same
        thing, the one with the higher version is newer. Names and contacts of clients are left out: ask for them by id.
      </p>
      <ul>
        {webhookTypes.map((type) => (
          <li key={type}>
            <code>{type}</code>: {webhookTypeLabels[type].replace(/^./, (first) => first.toLowerCase())}
          </li>
        ))}
      </ul>
      <p>
        The <Link to="/developers/reference">reference</Link> describes each event under Webhooks, with an example.
      </p>
      <h3>Check the signature</h3>
      <p>
        Calls are signed according to <a href="https://www.standardwebhooks.com">Standard Webhooks</a>, so its libraries
        check them in one line. Without a library these two programs do the same; each is a whole server.
      </p>
      <h3>In TypeScript</h3>
      <CodeBlock label="Take webhooks, in TypeScript">{webhookSnippets.typescript}</CodeBlock>
      <h3>In Python</h3>
      <CodeBlock label="Take webhooks, in Python">{webhookSnippets.python}</CodeBlock>
      <h3>Answer in time</h3>
      <ul>
        <li>
          Any <code>2xx</code> within {webhookLimits.timeoutSeconds} seconds counts as received. Redirects are not
          followed.
        </li>
        <li>
          Anything else is tried again after 5 seconds, 5 minutes, half an hour, 2, 5, 10, 14, 20 and 24 hours, later if{' '}
          <code>Retry-After</code> asks for it. <code>webhook-id</code> and the body stay the same.
        </li>
        <li>
          <code>410</code>, or {webhookLimits.failingDays} days without a good answer, switches the endpoint off, and we
          tell you.
        </li>
        <li>
          A replaced secret also signs for {webhookLimits.oldSecretHours} hours: <code>webhook-signature</code> then
          holds several signatures, separated by spaces.
        </li>
        <li>
          Deliveries are kept for {webhookLimits.retentionDays} days with what was sent and answered, and can be sent
          again.
        </li>
      </ul>
    </>
  )
}
