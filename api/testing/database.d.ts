/** The database that every test database is cloned from; made by `scripts/test-setup.ts`. */
export declare const templateDatabase = 'template_flashsheet'
/** A migrated database for one test file. Drop it when done. */
export declare function cloneDatabase(): Promise<{
  url: string
  drop: () => Promise<void>
}>
