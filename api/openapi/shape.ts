import type { z } from 'zod'

/** A contract, with an example unless it needs none. */
export type Shape = { contract: z.ZodType; example: unknown }

/** The type checker compares the example with the contract. */
export const shape = <S extends z.ZodType>(contract: S, example?: z.output<S>): Shape => ({ contract, example })
