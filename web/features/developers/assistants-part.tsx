import { assistantLimits } from '@flashsheet/contracts/assistants/limits'
import { Link } from '@tanstack/react-router'
import { CodeBlock } from './code-block.tsx'

export function AssistantsPart({ url }: { url: string }) {
  return (
    <>
      <h2 id="assistants">Assistants</h2>
      <p>
        An assistant that speaks the Model Context Protocol finds tools at this address: it lists accounts and media,
        adds pictures from addresses, posts, schedules, and reads what became of each page.
      </p>
      <CodeBlock label="The address for assistants">{`${url}/mcp`}</CodeBlock>
      <p>
        An assistant that supports OAuth needs nothing else: it sends you here, you see what it could do, and it is
        connected once you agree. You disconnect it in <Link to="/settings/developers">Settings, under Developers</Link>
        . One that does not support it uses an API key, as <code>Authorization: Bearer fs_live_…</code>, and sees the
        tools that the key allows.
      </p>
      <p>
        For builders: OAuth 2.1 with PKCE (S256), clients by a metadata document or by registration, redirect addresses
        that must match exactly. Access tokens last {assistantLimits.accessSeconds / 60} minutes and open{' '}
        <code>/mcp</code> alone; a refresh token works once. Tools that publish need a <code>requestId</code> of yours,
        and the same one posts once.
      </p>
    </>
  )
}
