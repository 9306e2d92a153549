import { usualAssistantScopes } from '@flashsheet/contracts/assistants/limits'
import { assistantInstructions, toolMessages } from '@flashsheet/contracts/assistants/messages'
import { errorMessages } from '@flashsheet/contracts/errors/messages'
import { keyMessages } from '@flashsheet/contracts/keys/messages'
import { grantsScope } from '@flashsheet/contracts/keys/rules'
import {
  createMcpHandler,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
} from '@modelcontextprotocol/server'
import { admit } from './core/admit.ts'
import type { KeyCaller } from './core/api-keys.ts'
import { readBody } from './core/body.ts'
import type { RequestCtx } from './core/context.ts'
import { errorLine } from './core/describe-error.ts'
import { AppError, errorBody, invalid, toAppError } from './core/errors.ts'
import { logFailure } from './core/log-failure.ts'
import { requireSameOrigin } from './core/origin.ts'
import { jsonBytes, parseJson, type HttpContext } from './core/rest.ts'
import type { Tool } from './core/tools.ts'
import { toolTable } from './tools.ts'

/** The endpoint for assistants (Model Context Protocol, streamable HTTP without sessions). */
export const mcpPath = '/mcp'

const identity = { name: 'flashsheet', title: 'Flashsheet', version: '1.0.0' }
const toolsByName = new Map(toolTable.map((tool) => [tool.name, tool]))

type Message = { method?: unknown; params?: { name?: unknown } | null }

/**
 * Answers one message of an assistant, which is identified by an API key or an access token. Session cookies and requests
 * from pages of other sites are refused. Throws as REST does; an error of a tool becomes its result (`runTool`).
 */
export async function handleMcp(c: HttpContext): Promise<Response> {
  const ctx = c.get('ctx')
  requireSameOrigin(ctx)
  const { caller } = ctx
  if (caller?.kind !== 'key') throw notConnected(ctx)
  // GET and DELETE are about MCP sessions, which do not exist here.
  if (c.req.method !== 'POST') {
    await admit(ctx, { key: 'any' })
    return c.json({ message: toolMessages.postOnly, code: 'invalid' }, 405, { allow: 'POST' })
  }
  const { body, message } = await readMessage(c).catch(async (refusal: unknown) => {
    await admit(ctx, { key: 'any' })
    throw refusal
  })
  const name = message.method === 'tools/call' ? message.params?.name : undefined
  const tool = typeof name === 'string' ? toolsByName.get(name) : undefined
  await admit(ctx, { key: 'any', creates: tool?.creates ?? false })
  const handler = createMcpHandler(() => serverFor(ctx, caller), {
    legacy: 'stateless',
    // The list of tools never changes at run time, so there is nothing to subscribe to.
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

/** The refusal of an assistant without valid access; its challenge names where to request access (RFC 9728). */
function notConnected({ config, isKeyRefused }: RequestCtx): AppError {
  const challenge = [
    ...(isKeyRefused ? ['error="invalid_token"'] : []),
    `resource_metadata="${config.publicUrl}/.well-known/oauth-protected-resource${mcpPath}"`,
    `scope="${usualAssistantScopes.join(' ')}"`,
  ]
  return new AppError('unauthenticated', keyMessages.notValid, { code: 'key', challenge: challenge.join(', ') })
}

/** Throws `invalid` if the body is not a JSON object. A list is refused too: it would contain several calls. */
async function readMessage(c: HttpContext): Promise<{ body: Buffer; message: Message }> {
  const body = await readBody(c, jsonBytes)
  const message = parseJson(body)
  if (Array.isArray(message)) throw invalid(toolMessages.oneAtATime)
  if (message === null || typeof message !== 'object') throw invalid(errorMessages.malformed)
  return { body, message }
}

/** A server for one message, with only the tools that the caller's scopes open. */
function serverFor(ctx: RequestCtx, { scopes }: KeyCaller): McpServer {
  const product = new McpServer(identity, {
    // The package advertises that it announces changes of the list, unless told otherwise.
    capabilities: { tools: { listChanged: false } },
    instructions: assistantInstructions,
  })
  // The library's own handlers would return its wording for bad input, and the text of any error that a tool throws.
  product.server.setRequestHandler('tools/list', () => ({
    tools: toolTable.filter(({ key }) => grantsScope(scopes, key)).map(({ described }) => described),
  }))
  product.server.setRequestHandler('tools/call', async ({ params }) => {
    const tool = toolsByName.get(params.name)
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, toolMessages.unknownTool(params.name))
    if (!grantsScope(scopes, tool.key))
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, keyMessages.missingScope(tool.key), {
        code: 'scope',
        scope: tool.key,
      })
    return await runTool(ctx, tool, params.arguments)
  })
  return product
}

/** A refusal has the same body as in REST; an internal error reveals no details. */
async function runTool(ctx: RequestCtx, tool: Tool, input: unknown): Promise<CallToolResult> {
  try {
    const answer = await tool.call(ctx, input)
    return { structuredContent: answer, content: [{ type: 'text', text: JSON.stringify(answer) }] }
  } catch (thrown) {
    const error = toAppError(thrown)
    const { requestId } = ctx
    logFailure(ctx.log, 'a tool', error, { err: thrown, requestId, tool: tool.name })
    const refusal = {
      ...errorBody(error),
      ...(error.retryAfter === undefined ? {} : { retryAfter: error.retryAfter }),
      ...(error.kind === 'internal' ? { requestId } : {}),
    }
    return { isError: true, content: [{ type: 'text', text: JSON.stringify(refusal) }] }
  }
}
