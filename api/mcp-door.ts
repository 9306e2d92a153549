import { usualAssistantScopes } from '@flashsheet/contracts/assistants/limits'
import { assistantInstructions, toolMessages } from '@flashsheet/contracts/assistants/messages'
import { errorMessages } from '@flashsheet/contracts/errors/messages'
import { keyMessages } from '@flashsheet/contracts/keys/messages'
import { opensScope } from '@flashsheet/contracts/keys/rules'
import { createMcpHandler, McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { admit } from './core/admit.ts'
import type { KeyCaller } from './core/api-keys.ts'
import { readBody } from './core/body.ts'
import type { RequestCtx } from './core/context.ts'
import { errorLine } from './core/describe-error.ts'
import { AppError, errorBody, invalid, toAppError } from './core/errors.ts'
import { requireOwnPage } from './core/origin.ts'
import { jsonBytes, type HttpContext } from './core/rest.ts'
import type { Tool } from './core/tools.ts'
import { toolTable } from './tools.ts'

/** Where assistants call (Model Context Protocol, streamable HTTP without sessions). */
export const mcpPath = '/mcp'

const identity = { name: 'flashsheet', title: 'Flashsheet', version: '1.0.0' }
const toolNamed = new Map(toolTable.map((tool) => [tool.name, tool]))

type Message = { method?: unknown; params?: { name?: unknown } | null }

/**
 * Answers one message of an assistant, which calls with an API key or with a token that its artist gave it: no cookie counts here, and no page of another site. Throws
 * as REST does; what a tool throws is its answer instead (`answerOf`).
 */
export async function answerMcp(c: HttpContext): Promise<Response> {
  const ctx = c.get('ctx')
  requireOwnPage(ctx)
  const { caller } = ctx
  if (caller?.kind !== 'key') throw notConnected(ctx)
  // There are no sessions to listen to (GET) or to end (DELETE).
  if (c.req.method !== 'POST')
    return c.json({ message: toolMessages.postOnly, code: 'invalid' }, 405, { allow: 'POST' })
  const body = await readBody(c, jsonBytes)
  const message = readMessage(body)
  const name = message.method === 'tools/call' ? message.params?.name : undefined
  const asked = typeof name === 'string' ? toolNamed.get(name) : undefined
  await admit(ctx, { key: 'any', creates: asked?.creates ?? false })
  const handler = createMcpHandler(() => serverFor(ctx, caller), {
    legacy: 'stateless',
    // Tools do not change while somebody listens, so nobody gets a stream that stays open.
    maxSubscriptions: 0,
    onerror: (error) =>
      ctx.log.debug({ reason: errorLine(error), requestId: ctx.requestId }, 'an assistant was refused'),
  })
  const { raw } = c.req
  const request = new Request(raw.url, { method: 'POST', headers: raw.headers, body, signal: raw.signal })
  const answer = await handler.fetch(request, { parsedBody: message })
  answer.headers.set('cache-control', 'no-store')
  answer.headers.set('x-request-id', ctx.requestId)
  return answer
}

/** Says where an assistant that has no key may ask for access (RFC 9728). */
function notConnected({ config, isKeyRefused }: RequestCtx): AppError {
  const challenge = [
    ...(isKeyRefused ? ['error="invalid_token"'] : []),
    `resource_metadata="${config.publicUrl}/.well-known/oauth-protected-resource${mcpPath}"`,
    `scope="${usualAssistantScopes.join(' ')}"`,
  ]
  return new AppError('unauthenticated', keyMessages.notValid, { code: 'key', challenge: challenge.join(', ') })
}

/** Throws invalid for what is no JSON object: a list would make many calls of one. */
function readMessage(body: Buffer): Message {
  let message: unknown
  try {
    message = JSON.parse(new TextDecoder('utf8', { fatal: true }).decode(body))
  } catch {
    throw invalid(errorMessages.malformed)
  }
  if (Array.isArray(message)) throw invalid(toolMessages.oneAtATime)
  if (message === null || typeof message !== 'object') throw invalid(errorMessages.malformed)
  return message
}

/** A server for one message. It knows the tools that the key opens, and no others. */
function serverFor(ctx: RequestCtx, { scopes }: KeyCaller): McpServer {
  const product = new McpServer(identity, { capabilities: { tools: {} }, instructions: assistantInstructions })
  // Its own handlers answer bad input in words of the library, and what a tool throws word for word.
  product.server.setRequestHandler('tools/list', () => ({
    tools: toolTable.filter(({ key }) => opensScope(scopes, key)).map(({ described }) => described),
  }))
  product.server.setRequestHandler('tools/call', async ({ params }) => {
    const tool = toolNamed.get(params.name)
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, toolMessages.unknownTool(params.name))
    if (!opensScope(scopes, tool.key))
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, keyMessages.missingScope(tool.key), {
        code: 'scope',
        scope: tool.key,
      })
    return await answerOf(ctx, tool, params.arguments)
  })
  return product
}

type ToolResult = {
  content: { type: 'text'; text: string }[]
  structuredContent?: Record<string, unknown>
  isError?: boolean
}

/** What a tool answers; a refusal has the body that REST would have answered, and an unknown failure says nothing of its inside. */
async function answerOf(ctx: RequestCtx, tool: Tool, sent: unknown): Promise<ToolResult> {
  try {
    const answer = await tool.call(ctx, sent)
    return { structuredContent: answer, content: [{ type: 'text', text: JSON.stringify(answer) }] }
  } catch (thrown) {
    const error = toAppError(thrown)
    const { requestId } = ctx
    if (error.kind === 'internal') ctx.log.error({ err: thrown, requestId, tool: tool.name }, 'a tool failed')
    if (error.kind === 'unavailable')
      ctx.log.warn({ reason: errorLine(thrown), requestId, tool: tool.name }, 'a tool could not be answered now')
    const refusal = {
      ...errorBody(error),
      ...(error.retryAfter === undefined ? {} : { retryAfter: error.retryAfter }),
      ...(error.kind === 'internal' ? { message: errorMessages.unknown, requestId } : {}),
    }
    return { isError: true, content: [{ type: 'text', text: JSON.stringify(refusal) }] }
  }
}
