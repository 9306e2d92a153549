import { keyLimits, keyScopes } from '@flashsheet/contracts/keys/limits'
import { scopeLabels } from '@flashsheet/contracts/keys/messages'
import { Link } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'
import { AssistantsPart } from './assistants-part.tsx'
import { ChangelogPart } from './changelog-part.tsx'
import { CodeBlock } from './code-block.tsx'
import { classes } from '../../ui/classes.ts'
import page from '../parts/text-page.module.css'
import styles from './developers-page.module.css'
import { snippets } from './snippets.ts'
import { WebhooksPart } from './webhooks-part.tsx'

const noSubscription = () => () => undefined
/** The page is prerendered for all installations, so its origin is known only in the browser. */
const useOrigin = () =>
  useSyncExternalStore(
    noSubscription,
    () => location.origin,
    () => 'https://flashsheet.example',
  )

/** The sections in the table of contents. */
const sections = [
  ['begin', 'Get started'],
  ['post', 'Schedule a post'],
  ['reference', 'Reference'],
  ['scopes', 'Scopes'],
  ['errors', 'Errors'],
  ['limits', 'Limits'],
  ['repeating', 'Repeating safely'],
  ['lists', 'Lists and files'],
  ['webhooks', 'Webhooks'],
  ['assistants', 'Assistants'],
  ['changelog', 'Changes'],
] as const

export function DevelopersPage() {
  const url = useOrigin()
  return (
    <article className={classes(page['page'], styles['page'])}>
      <h1 className={page['title']}>Build on Flashsheet</h1>
      <p className={page['lead']}>
        Upload, schedule and follow posts, read bookings, keep a website up to date: most of what the app does, a
        program can do.
      </p>
      <nav aria-label="On this page" className={styles['contents']}>
        {sections.map(([id, words]) => (
          <a key={id} href={`#${id}`}>
            {words}
          </a>
        ))}
      </nav>
      <div className={classes(page['text'], styles['text'])}>
        <h2 id="begin">Get started</h2>
        <p>
          Make a key in <Link to="/settings/developers">Settings, under Developers</Link>, and pick what it may do. Then
          ask who you are:
        </p>
        <CodeBlock label="Who am I, by curl">{snippets.whoAmI(url)}</CodeBlock>

        <h2 id="post">Schedule a post</h2>
        <p>
          The key needs <code>media:write</code>, <code>accounts:read</code> and <code>posts:write</code>, and one
          account has to be connected. Put <code>photo.jpg</code> beside the script.
        </p>
        <h3>With curl</h3>
        <CodeBlock label="Schedule a post, by curl">{snippets.post(url)}</CodeBlock>
        <h3>With TypeScript</h3>
        <CodeBlock label="Schedule a post, in TypeScript">{snippets.typescript(url)}</CodeBlock>
        <h3>With Python</h3>
        <CodeBlock label="Schedule a post, in Python">{snippets.python(url)}</CodeBlock>

        <h2 id="reference">Reference</h2>
        <p>
          <Link to="/developers/reference">The reference</Link> has every path with what it takes, answers and needs,
          and lets you try it with your key. It is made from <a href="/api/openapi.json">OpenAPI 3.1</a>, which
          generators of clients read.
        </p>

        <h2 id="scopes">What a key may do</h2>
        <ul>
          {keyScopes.map((scope) => (
            <li key={scope}>
              <code>{scope}</code>: {scopeLabels[scope].toLowerCase()}
            </li>
          ))}
        </ul>
        <p>
          Writing includes reading. No key reaches passwords, sessions, payments, other keys or the connections to
          networks. Keys keep working when you change your password; a deleted key is refused from its next call on.
        </p>

        <h2 id="errors">Errors</h2>
        <p>
          An error is <code>{'{ message, code, fields? }'}</code>: a sentence for people, a word for programs, and which
          field is wrong. Accept <code>application/problem+json</code>, and the answer also has the members of RFC 9457.
        </p>
        <ul>
          <li>
            <code>401 key</code>: the key is unknown, deleted or expired.
          </li>
          <li>
            <code>403 scope</code>: the key lacks the permission that <code>scope</code> names.
          </li>
          <li>
            <code>403 no_subscription</code>, <code>403 plan</code>: the plan does not include it.
          </li>
          <li>
            <code>400</code>: something that was sent is wrong; <code>fields</code> says where.
          </li>
          <li>
            <code>404</code>: it does not exist, or belongs to somebody else. <code>409</code>: it conflicts with the
            current state.
          </li>
          <li>
            <code>429</code>, <code>503</code>: too many requests, or briefly unavailable; <code>Retry-After</code> says
            when to try again. <code>507</code>: the disk is full.
          </li>
        </ul>

        <h2 id="limits">Limits</h2>
        <p>
          A key may send {keyLimits.requests} requests a minute, {keyLimits.creatingRequests} of them to create
          something. <code>RateLimit</code> says what is left; <code>429</code> comes with <code>Retry-After</code>.
        </p>

        <h2 id="repeating">Repeating safely</h2>
        <p>
          Send an <code>Idempotency-Key</code> of your own with each call that creates something. If the answer gets
          lost, send the same again: you get the first result, and nothing is created twice. Another body under the same
          key is <code>409</code>.
        </p>

        <h2 id="lists">Lists and large files</h2>
        <p>
          Lists take <code>limit</code>; while there is more, the header <code>Link</code> leads to the next page. Large
          files are uploaded with <a href="https://tus.io">tus</a> to <code>/api/uploads</code>, which resumes an
          interrupted upload.
        </p>

        <WebhooksPart />

        <AssistantsPart url={url} />

        <ChangelogPart />
      </div>
    </article>
  )
}
