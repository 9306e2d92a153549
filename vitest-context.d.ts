import 'vitest'

declare module 'vitest' {
  export interface ProvidedContext {
    /** A Postgres that may create databases; tests clone `template` from it. */
    adminUrl: string
  }
}
