import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { TestApp } from './app.ts'
import { settled } from './actors.ts'

/** Which revision of the protocol an assistant speaks: that of 2026-07-28, or those of 2025. */
export type Era = 'modern' | 'legacy'

/** What a tool answered, and the refusal that it answered instead. */
export type Told<T = Record<string, unknown>> = { answer: T; refusal: Record<string, unknown> | undefined }

/** An assistant of the official client package, which checks each answer against the schema that its tool declared. */
export async function connectAssistant(app: Pick<TestApp, 'url'>, key: string, era: Era = 'modern') {
  await settled.get(app.url)?.()
  const client = new Client(
    { name: 'an assistant', version: '1.0.0' },
    era === 'modern' ? { versionNegotiation: { mode: 'auto' } } : {},
  )
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', app.url), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  })
  await client.connect(transport)
  return {
    client,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async <T = Record<string, unknown>>(name: string, args: Record<string, unknown> = {}): Promise<Told<T>> => {
      await settled.get(app.url)?.()
      const { isError, structuredContent, content } = await client.callTool({ name, arguments: args })
      const [first] = content as { type: string; text?: string }[]
      return {
        answer: structuredContent as T,
        refusal: isError === true ? (JSON.parse(first?.text ?? '{}') as Record<string, unknown>) : undefined,
      }
    },
  }
}
