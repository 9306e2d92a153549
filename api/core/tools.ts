import { toolMessages } from '@flashsheet/contracts/assistants/messages'
import type { KeyScope } from '@flashsheet/contracts/keys/limits'
import { z } from 'zod'
import type { RequestCtx } from './context.ts'
import { invalid } from './errors.ts'
import { guards, type Guarded, type GuardName } from './guards.ts'
import { closeObjects, simplifyJsonSchema } from './json-schema.ts'
import { refuseNul } from './text.ts'

/**
 * Determines the protocol's annotations, by which an assistant decides whether to ask its user first. `adds` changes nothing
 * that exists.
 */
type Effect = 'reads' | 'adds' | 'changes'

type ObjectSchema = { type: 'object'; [member: string]: unknown }

/** A tool for assistants: a row of the table in `api/tools.ts`, answered by one service function. */
export type Tool = ReturnType<ReturnType<typeof toolFor<GuardName>>>

/** The answer of a tool that changes something: a sentence for the artist, and the screen that shows it. */
export const changeOutput = { happened: z.string(), link: z.string() }

/** The address of a screen. */
export const screenUrl = ({ config }: RequestCtx, path: string): string => new URL(path, config.publicUrl).href

/** The address of a post among the scheduled ones. */
export const postUrl = (ctx: RequestCtx, postId: string): string => screenUrl(ctx, `/scheduled-posts?post=${postId}`)

/** The fields of `sent` that were dropped by parsing, as paths such as `variants.0.caption`. A list may get shorter. */
function findDroppedFields(sent: unknown, parsed: unknown): string[] {
  if (sent === null || typeof sent !== 'object' || parsed === null || typeof parsed !== 'object') return []
  return Object.entries(sent).flatMap(([name, inner]) => {
    if (!Object.hasOwn(parsed, name)) return Array.isArray(sent) ? [] : [name]
    return findDroppedFields(inner, (parsed as Record<string, unknown>)[name]).map((within) => `${name}.${within}`)
  })
}

const unknownFields = (paths: readonly string[]) =>
  invalid(
    toolMessages.unknownField(paths[0] ?? ''),
    Object.fromEntries(paths.map((path) => [path, toolMessages.unknownField(path)])),
  )

type ToolOptions<G extends GuardName, I extends z.ZodObject, O extends z.ZodObject> = {
  name: string
  title: string
  description: string
  /** The stricter rate limit of API keys for creating applies. */
  creates?: boolean
  /** A repeated call changes nothing. */
  isIdempotent?: boolean
  /** The result is visible to others, or an outside address is called. */
  reachesOut?: boolean
  input: I
  answer: O
  run: (ctx: Guarded[G], input: z.output<I>) => Promise<z.output<O>>
}

/**
 * Defines the tools of a slice that share a guard, a scope and an effect; without the scope a tool is not listed for a key. Unknown
 * fields are refused: with an ignored `scheduledAt` a post would be published at once, and with an ignored `caption` of a page
 * without its text.
 */
export const toolFor =
  <G extends GuardName>(guard: G, key: KeyScope, effect: Effect) =>
  <I extends z.ZodObject, O extends z.ZodObject>(options: ToolOptions<G, I, O>) => {
    const { name, title, description, creates = false, input, answer, run } = options
    const strict = input.strict()
    const schemaOf = (schema: z.ZodType, io: 'input' | 'output') =>
      simplifyJsonSchema(z.toJSONSchema(schema, { io, unrepresentable: 'any' })) as ObjectSchema
    const inputSchema = closeObjects(schemaOf(strict, 'input')) as ObjectSchema
    return {
      name,
      guard,
      key,
      creates,
      /** The entry in `tools/list`. */
      described: {
        name,
        title,
        description,
        inputSchema,
        outputSchema: schemaOf(answer, 'output'),
        annotations: {
          title,
          readOnlyHint: effect === 'reads',
          destructiveHint: effect === 'changes',
          idempotentHint: options.isIdempotent ?? effect === 'reads',
          openWorldHint: options.reachesOut ?? false,
        },
      },
      /** Checks the guard, parses the input and calls the service. Throws what these throw. */
      call: async (ctx: RequestCtx, raw: unknown): Promise<Record<string, unknown>> => {
        // The guard comes first, so that an anonymous caller learns nothing about the input.
        const guarded = guards[guard](ctx)
        refuseNul(raw)
        const parsed = strict.safeParse(raw ?? {})
        if (!parsed.success) {
          for (const issue of parsed.error.issues)
            if (issue.code === 'unrecognized_keys' && issue.path.length === 0) throw unknownFields(issue.keys)
          throw parsed.error
        }
        const dropped = findDroppedFields(raw, parsed.data)
        if (dropped.length > 0) throw unknownFields(dropped)
        return await run(guarded, parsed.data as z.output<I>)
      },
    }
  }
