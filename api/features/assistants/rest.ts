import { assistantMessages } from '@flashsheet/contracts/assistants/messages'
import { IssuedTokens, RegisterClientInput, RegisteredClient } from '@flashsheet/contracts/assistants/schema'
import { z } from 'zod'
import { readBody } from '../../core/body.ts'
import type { RequestCtx } from '../../core/context.ts'
import { AppError, errorTable, toAppError } from '../../core/errors.ts'
import { rawRow, redirectRow, type HttpContext, type RestRow } from '../../core/rest.ts'
import { refuseNul } from '../../core/text.ts'
import { registerClient } from './service/clients.ts'
import { consentScreenUrl } from './service/consent.ts'
import { authorizationServer, protectedResource } from './service/metadata.ts'
import { issueTokens, revokeToken, type TokenForm } from './service/tokens.ts'

const maxBodyBytes = 65_536
const Document = z.looseObject({})

/** The fields of a form. Throws invalid for a repeated field. */
async function readForm(c: HttpContext): Promise<TokenForm> {
  const entries = [...new URLSearchParams((await readBody(c, maxBodyBytes)).toString('utf8'))]
  const form = Object.fromEntries(entries)
  refuseNul(form)
  if (entries.length !== Object.keys(form).length) throw malformed()
  return form
}

async function readClient(c: HttpContext): Promise<RegisterClientInput> {
  let body: unknown
  try {
    body = JSON.parse((await readBody(c, maxBodyBytes)).toString('utf8'))
  } catch (error) {
    if (error instanceof SyntaxError) throw malformed()
    throw error
  }
  refuseNul(body)
  const parsed = RegisterClientInput.safeParse(body)
  if (parsed.success) return parsed.data
  const isRedirect = parsed.error.issues.some(({ path: [field] }) => field === 'redirect_uris')
  throw new AppError('invalid', parsed.error.issues[0]?.message ?? assistantMessages.requestWrong, {
    code: isRedirect ? 'invalid_redirect_uri' : 'invalid_client_metadata',
  })
}

const malformed = () => new AppError('invalid', assistantMessages.requestWrong, { code: 'invalid_request' })

/** Answers invalid requests in OAuth's shape (RFC 6749, section 5.2). Other refusals have the product's shape. */
function oauth(run: (ctx: RequestCtx, c: HttpContext) => Promise<Response>) {
  return async (ctx: RequestCtx, c: HttpContext): Promise<Response> => {
    try {
      return await run(ctx, c)
    } catch (thrown) {
      const error = toAppError(thrown)
      if (error.kind !== 'invalid') throw thrown
      const code = error.code === 'invalid' ? 'invalid_request' : error.code
      // `message` and `code` as in the product's other refusals.
      const body = { message: error.message, code, error: code, error_description: error.message }
      return c.json(body, errorTable.invalid.status)
    }
  }
}

const document = (path: `/${string}`, make: (ctx: RequestCtx) => object): RestRow =>
  rawRow(`GET ${path}`, 'public', 'any', {
    answer: { status: 200, json: Document },
    run: async (ctx, c) => await Promise.resolve(c.json(make(ctx))),
  })

export const assistantRest: readonly RestRow[] = [
  document('/.well-known/oauth-protected-resource', protectedResource),
  document('/.well-known/oauth-protected-resource/mcp', protectedResource),
  document('/.well-known/oauth-authorization-server', authorizationServer),
  redirectRow('GET /oauth/authorize', (_ctx, c) => consentScreenUrl(new URL(c.req.url).search.slice(1))),
  rawRow('POST /oauth/register', 'public', 'never', {
    takes: 'client',
    answer: { status: 201, json: RegisteredClient },
    run: oauth(async (ctx, c) => c.json(await registerClient(ctx, await readClient(c)), 201)),
  }),
  rawRow('POST /oauth/token', 'public', 'never', {
    takes: 'oauth',
    answer: { status: 200, json: IssuedTokens },
    run: oauth(async (ctx, c) => c.json(await issueTokens(ctx, await readForm(c)))),
  }),
  rawRow('POST /oauth/revoke', 'public', 'never', {
    takes: 'oauth',
    answer: { status: 200, json: Document },
    run: oauth(async (ctx, c) => {
      await revokeToken(ctx, await readForm(c))
      return c.json({})
    }),
  }),
]
