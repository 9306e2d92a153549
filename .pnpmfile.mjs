// Corrects the metadata of some packages, so that a production install fetches less.

/** `os` and `cpu` of Node's binaries are strings, which pnpm leaves out of the lockfile: every host would fetch all binaries. */
const list = (value) => (typeof value === 'string' ? [value] : value)

/** TypeScript, 10 MB, is a peer dependency of tRPC only for its types. */
const withoutTypescript = ({ typescript: _types, ...others }) => others

/** `supports-color` is an optional peer dependency of debug, which then depends on whether another package is installed. */
const withoutColor = ({ 'supports-color': _color, ...others }) => others

export const hooks = {
  readPackage(pkg) {
    if (/^node-(?:linux|darwin)-/.test(pkg.name)) return { ...pkg, os: list(pkg.os), cpu: list(pkg.cpu) }
    if (pkg.name.startsWith('@trpc/') && pkg.peerDependencies)
      return { ...pkg, peerDependencies: withoutTypescript(pkg.peerDependencies) }
    if (pkg.name === 'debug')
      return {
        ...pkg,
        peerDependencies: withoutColor(pkg.peerDependencies ?? {}),
        peerDependenciesMeta: withoutColor(pkg.peerDependenciesMeta ?? {}),
      }
    return pkg
  },
}
