import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { TestApp } from './app.ts'
import { waitForHintsByUrl } from './actors.ts'

/** The revision of the protocol that an assistant uses: `modern` is that of 2026-07-28, `legacy` are those of 2025. */
export type ProtocolRevision = 'modern' | 'legacy'

/** A tool's result, or the refusal in place of it. */
export type ToolResult<T = Record<string, unknown>> = { answer: T; refusal: Record<string, unknown> | undefined }

/** An assistant by the official client package, which validates each result against the schema that its tool declares. */
export async function connectAssistant(app: Pick<TestApp, 'url'>, key: string, revision: ProtocolRevision = 'modern') {
  await waitForHintsByUrl.get(app.url)?.()
  const client = new Client(
    { name: 'an assistant', version: '1.0.0' },
    revision === 'modern' ? { versionNegotiation: { mode: 'auto' } } : {},
  )
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', app.url), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  })
  await client.connect(transport)
  return {
    client,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async <T = Record<string, unknown>>(
      name: string,
      args: Record<string, unknown> = {},
    ): Promise<ToolResult<T>> => {
      await waitForHintsByUrl.get(app.url)?.()
      const { isError, structuredContent, content } = await client.callTool({ name, arguments: args })
      const [first] = content as { type: string; text?: string }[]
      return {
        answer: structuredContent as T,
        refusal: isError === true ? (JSON.parse(first?.text ?? '{}') as Record<string, unknown>) : undefined,
      }
    },
  }
}
