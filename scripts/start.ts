import { main } from '../api/main.ts'
import { buildWebWhenChanged } from './build-web.ts'
import { step } from './steps.mjs'

/** Runs while the database starts; the server listens once both are ready. */
async function buildWeb(): Promise<void> {
  step('Building the web app, if it changed')
  if (await buildWebWhenChanged()) step('The web app is built')
}

// As `readConfig` reads it: a blank setting is not set.
const role = process.env['ROLE']?.trim() || 'all'
await main({ onStep: step, beforeListening: role === 'all' || role === 'web' ? buildWeb() : Promise.resolve() })
