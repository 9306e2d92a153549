// Run before everything else (`node --import ./db/quick-imports.ts …`). Node parses a package's whole package.json, of which
// Drizzle's has 180 KB, again for every import between the package's own files: a second, and 150 MB, at each start.
import { registerHooks } from 'node:module'

registerHooks({
  resolve(specifier, context, next) {
    const within = context.parentURL
    if (!specifier.startsWith('.') || within === undefined || !/\/node_modules\/drizzle-orm\/.*\.js$/.test(within))
      return next(specifier, context)
    // Its files name each other in full, and those that end in .js are modules.
    return { url: new URL(specifier, within).href, format: 'module', shortCircuit: true }
  },
})
