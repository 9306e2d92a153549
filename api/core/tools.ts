import { toolMessages } from '@flashsheet/contracts/assistants/messages'
import type { KeyScope } from '@flashsheet/contracts/keys/limits'
import { z } from 'zod'
import type { RequestCtx } from './context.ts'
import { invalid } from './errors.ts'
import { guards, type Guarded, type GuardName } from './guards.ts'
import { tidyJsonSchema } from './json-schema.ts'
import { refuseNul } from './text.ts'

/**
 * What a call does to what is there: the hints that an assistant's program shows a person by. `adds` leaves everything else as it was.
 * `reachesOut`: others see it, or an address of others is called.
 */
type Effect = 'reads' | 'adds' | 'changes'

/** What an assistant may call: one line of the table of tools (`api/tools.ts`), and the one service function that answers. */
export type Tool = {
  name: string
  guard: GuardName
  /** The scope that its caller needs; others do not see it. */
  key: KeyScope
  /** It makes something: a key may call it less often. */
  creates: boolean
  /** As `tools/list` has it. */
  described: {
    name: string
    title: string
    description: string
    inputSchema: { type: 'object'; [member: string]: unknown }
    outputSchema: { type: 'object'; [member: string]: unknown }
    annotations: {
      title: string
      readOnlyHint: boolean
      destructiveHint: boolean
      idempotentHint: boolean
      openWorldHint: boolean
    }
  }
  /** Proves the guard, reads what was sent and answers. Throws what the service throws. */
  call: (ctx: RequestCtx, sent: unknown) => Promise<Record<string, unknown>>
}

/** What a tool that changes something answers with: the sentence for the artist, and the screen where they see it. */
export const changeOutput = { happened: z.string(), link: z.string() }

/** The address of a screen. */
export const screenUrl = ({ config }: RequestCtx, path: string): string => new URL(path, config.publicUrl).href

/** The address of a post among the scheduled ones. */
export const postUrl = (ctx: RequestCtx, postId: string): string => screenUrl(ctx, `/scheduled-posts?post=${postId}`)

/** A tool. A field that it does not have is refused: a time that nobody reads would post at once. */
export function tool<G extends GuardName, I extends z.ZodObject, O extends z.ZodObject>(options: {
  name: string
  title: string
  description: string
  guard: G
  key: KeyScope
  effect: Effect
  creates?: boolean
  /** The same call again changes nothing more. */
  isIdempotent?: boolean
  reachesOut?: boolean
  input: I
  answer: O
  run: (ctx: Guarded[G], input: z.output<I>) => Promise<z.output<O>>
}): Tool {
  const { name, title, description, guard, key, effect, creates = false, input, answer, run } = options
  const strict = input.strict()
  const schemaOf = (schema: z.ZodType, io: 'input' | 'output') =>
    tidyJsonSchema(z.toJSONSchema(schema, { io, unrepresentable: 'any' })) as { type: 'object' }
  return {
    name,
    guard,
    key,
    creates,
    described: {
      name,
      title,
      description,
      inputSchema: { ...schemaOf(strict, 'input'), additionalProperties: false },
      outputSchema: schemaOf(answer, 'output'),
      annotations: {
        title,
        readOnlyHint: effect === 'reads',
        destructiveHint: effect === 'changes',
        idempotentHint: options.isIdempotent ?? effect === 'reads',
        openWorldHint: options.reachesOut ?? false,
      },
    },
    call: async (ctx, sent) => {
      // Who is calling comes before what they say.
      const guarded = guards[guard](ctx)
      refuseNul(sent)
      const parsed = strict.safeParse(sent ?? {})
      if (parsed.success) return await run(guarded, parsed.data as z.output<I>)
      for (const issue of parsed.error.issues)
        if (issue.code === 'unrecognized_keys' && issue.path.length === 0) {
          const [unknown = ''] = issue.keys
          throw invalid(toolMessages.unknownField(unknown), { [unknown]: toolMessages.unknownField(unknown) })
        }
      throw parsed.error
    },
  }
}
