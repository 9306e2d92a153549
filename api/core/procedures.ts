import { errorMessages } from '@flashsheet/contracts/errors/messages'
import { initTRPC, TRPCError } from '@trpc/server'
import { ZodError } from 'zod'
import { admit, type Admission, type KeyAccess } from './admit.ts'
import type { RequestCtx } from './context.ts'
import { AppError, errorBody, errorTable, invalid, notFound, toAppError } from './errors.ts'
import { guards, type GuardName } from './guards.ts'
import { logFailure } from './log-failure.ts'
import { refuseNul } from './text.ts'

/** tRPC's message for a batch of more than `maxBatchSize` calls, whose error has no code of its own. */
const trpcBatchTooLong = 'Batch call exceeds maximum size'

/** Our error for a tRPC error: the one that our code or a schema threw, or one for a request that tRPC itself rejected. */
function refusalOf(error: TRPCError): AppError {
  if (error.cause instanceof AppError || error.cause instanceof ZodError) return toAppError(error.cause)
  if (error.code === 'INTERNAL_SERVER_ERROR') return toAppError(error.cause ?? error)
  if (error.code === 'NOT_FOUND') return notFound()
  return invalid(error.message === trpcBatchTooLong ? errorMessages.batchTooLong : errorMessages.malformed)
}

const pingMs = 15_000

const t = initTRPC
  .context<RequestCtx>()
  .meta<Admission>()
  .create({
    isDev: false,
    // A lost connection may stay open for the browser, which then reconnects after three missed pings.
    sse: { ping: { enabled: true, intervalMs: pingMs }, client: { reconnectAfterInactivityMs: 3 * pingMs } },
    /** The answer's `data.refusal` is the REST body of the same refusal. */
    errorFormatter({ shape, error }) {
      const refusal = errorBody(refusalOf(error))
      return { ...shape, message: refusal.message, data: { ...shape.data, stack: undefined, refusal } }
    },
  })

export const router = t.router

/** The one place where thrown errors become tRPC errors. */
const mapErrors = t.middleware(async ({ ctx, path, next }) => {
  const result = await next()
  if (result.ok) return result
  const refusal = refusalOf(result.error)
  const err = result.error.cause ?? result.error
  logFailure(ctx.log, 'a procedure', refusal, { err, requestId: ctx.requestId, path })
  throw new TRPCError({ code: errorTable[refusal.kind].trpc, message: refusal.message, cause: refusal })
})

const refuseUnstorable = t.middleware(async ({ getRawInput, next }) => {
  // The input parser rejects an unreadable body; a procedure without input ignores it.
  const raw = await getRawInput().catch(() => undefined)
  refuseNul(raw)
  return await next()
})

type Creating = { creates?: boolean }

/** `key`: the access that an API key needs. */
function procedure(key: KeyAccess, { creates = false }: Creating = {}) {
  const admission: Admission = { key, creates }
  return t.procedure
    .meta(admission)
    .use(mapErrors)
    .use(async ({ ctx, next }) => {
      await admit(ctx, admission)
      return await next()
    })
    .use(refuseUnstorable)
}

/** Procedures with a guard, whose context proves it. */
const guarded =
  <G extends GuardName>(guard: G) =>
  (key: KeyAccess, creating?: Creating) =>
    procedure(key, creating).use(({ ctx, next }) => next({ ctx: guards[guard](ctx) }))

export const publicProcedure = guarded('public')
export const signedInProcedure = guarded('signedIn')
export const verifiedProcedure = guarded('verified')
export const subscriberProcedure = guarded('subscriber')
export const studioProcedure = guarded('studio')
export const adminProcedure = guarded('admin')('never')

/** The resolver of a procedure that calls one function of a service. */
export const call =
  <Ctx, Input, Answer>(run: (ctx: Ctx, input: Input) => Answer) =>
  ({ ctx, input }: { ctx: Ctx; input: Input }): Answer =>
    run(ctx, input)

/** As `call`, for a function that returns a page: answers its items, without the cursor. */
export const callForItems =
  <Ctx, Input, Item>(run: (ctx: Ctx, input: Input) => Promise<{ items: Item[] }>) =>
  async ({ ctx, input }: { ctx: Ctx; input: Input }): Promise<Item[]> =>
    (await run(ctx, input)).items
