// Preloaded (`node --import …`). For every import of a package, and for every file, Node reads the package.json above it
// and parses its exports again: 180 KB each time for Drizzle, a third of the processor time of a start.
import { existsSync } from 'node:fs'
import { registerHooks, type ResolveFnOutput } from 'node:module'

/** By folder and extension: the format of its files, which their package.json says for all of them. */
const formats = new Map<string, string>()
/** By folder: the nearest one, from itself upwards, with a package.json. */
const packages = new Map<string, string>()
/** By importing package and specifier: the imported file of another package. */
const imported = new Map<string, ResolveFnOutput>()

const folderOf = (url: string): string => url.slice(0, url.lastIndexOf('/') + 1)

function packageOf(folder: string): string {
  const known = packages.get(folder)
  if (known !== undefined) return known
  const above = new URL('..', folder).href
  const found = above === folder || existsSync(new URL('package.json', folder)) ? folder : packageOf(above)
  packages.set(folder, found)
  return found
}

registerHooks({
  resolve(specifier, context, next) {
    const { parentURL, conditions, importAttributes } = context
    const isPlainImport = conditions.includes('import') && Object.keys(importAttributes).length === 0
    if (!isPlainImport || !parentURL?.startsWith('file:') || specifier.includes(':')) return next(specifier, context)
    if (!specifier.startsWith('.')) {
      const key = `${packageOf(folderOf(parentURL))} ${specifier}`
      const known = imported.get(key)
      if (known) return known
      const { url, format } = next(specifier, context)
      // Without a format, Node finds it out from the source.
      const resolved = { url, format, shortCircuit: true }
      if (format) imported.set(key, resolved)
      return resolved
    }
    // ES modules import each other with full names.
    const [extension] = /\.[jt]s$/.exec(specifier) ?? []
    if (extension === undefined) return next(specifier, context)
    const { href } = new URL(specifier, parentURL)
    const key = folderOf(href) + extension
    const format = formats.get(key)
    if (format !== undefined) return { url: href, format, shortCircuit: true }
    const resolved = next(specifier, context)
    if (resolved.url === href && resolved.format) formats.set(key, resolved.format)
    return resolved
  },
})
