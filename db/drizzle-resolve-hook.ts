// Preloaded (`node --import …`). Node parses a package's whole package.json, 180 KB for Drizzle, again for every import
// between the package's own files: a second, and 150 MB, at each start.
import { registerHooks } from 'node:module'

registerHooks({
  resolve(specifier, context, next) {
    const within = context.parentURL
    if (!specifier.startsWith('.') || within === undefined || !/\/node_modules\/drizzle-orm\/.*\.js$/.test(within))
      return next(specifier, context)
    // Its files import each other with full names, and those that end in .js are ES modules.
    return { url: new URL(specifier, within).href, format: 'module', shortCircuit: true }
  },
})
