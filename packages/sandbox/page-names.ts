import type { PageName } from './feed-post.ts'
import type { Network, ServiceModule, SandboxContext } from './context.ts'

/** Looks up a page's name in the identities of its network's module; the id itself when none has it. */
export function pageNames(
  modules: () => readonly ServiceModule[],
  sandbox: SandboxContext,
): (network: Network, pageId: string) => PageName {
  return (network, pageId) => {
    const module = modules().find((one) => one.service === network)
    return search(module?.defaults?.(sandbox), pageId, undefined) ?? { name: pageId }
  }
}

type Named = { id?: unknown; name?: unknown; username?: unknown; pages?: unknown }

/** Searches for the page at any depth. The page of an identity with the same id gets the identity's full name. */
function search(value: unknown, id: string, owner: Named | undefined): PageName | undefined {
  if (Array.isArray(value)) {
    for (const one of value) {
      const found = search(one, id, owner)
      if (found) return found
    }
    return undefined
  }
  if (value === null || typeof value !== 'object') return undefined
  const here = value as Named
  if (here.id === id && typeof here.name === 'string') {
    const source = owner?.id === id && typeof owner.name === 'string' ? owner : here
    const { username } = source
    return { name: String(source.name), ...(typeof username === 'string' ? { username } : {}) }
  }
  for (const inner of Object.values(value)) {
    const found = search(inner, id, here)
    if (found) return found
  }
  return undefined
}
