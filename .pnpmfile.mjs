// What packages say of themselves and pnpm would take too literally.

/** Node's own binaries name their system as a word, which pnpm does not write into the lockfile: every host would fetch all of them. */
const list = (value) => (typeof value === 'string' ? [value] : value)

/** tRPC wants TypeScript beside it for its types only: who just serves does without those 10 MB. */
const withoutTypescript = ({ typescript: _types, ...others }) => others

/** debug colours its lines with what another package happens to bring: who just serves does without. */
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
