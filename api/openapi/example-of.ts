import type { z } from 'zod'

/** Examples by the contract that each fits. */
export type Examples = ReadonlyMap<z.ZodType, unknown>

/** An entry of `Examples`; a value that does not fit does not compile. */
export const example = <S extends z.ZodType>(contract: S, value: z.output<S>): [z.ZodType, unknown] => [contract, value]
