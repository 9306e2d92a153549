import type { z } from 'zod'

/** A contract with an example of it, where it has one of its own. */
export type Shape = { contract: z.ZodType; example: unknown }

/** A value that does not fit its contract does not compile. */
export const shape = <S extends z.ZodType>(contract: S, example?: z.output<S>): Shape => ({ contract, example })
