import 'vitest'

declare module 'vitest' {
  export interface ProvidedContext {
    /** A Postgres that may create databases; tests clone `template` from it. */
    adminUrl: string
    /** Where the browser of the journeys takes orders; only journeys have it. */
    browserUrl: string
  }
}
