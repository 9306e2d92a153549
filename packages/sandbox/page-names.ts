import type { PageName } from './feed-post.ts'
import type { Identity, IdentityPage, Network, ServiceModule, SandboxContext } from './context.ts'

type NetworkDefaults = { identities: Identity[]; pages: IdentityPage[] }

/**
 * Looks up a page's name in the defaults of its network's module; the id itself when it is not there. An identity that
 * is its own page comes first, since it has a user name.
 */
export function pageNames(
  modules: readonly ServiceModule[],
  sandbox: SandboxContext,
): (network: Network, pageId: string) => PageName {
  return (network, pageId) => {
    const module = modules.find((one) => one.service === network)
    const { identities = [], pages = [] } = (module?.defaults?.(sandbox) ?? {}) as Partial<NetworkDefaults>
    const all: (Identity | IdentityPage)[] = [...identities.flatMap((one) => [one, ...one.pages]), ...pages]
    return all.find((one) => one.id === pageId) ?? { name: pageId }
  }
}
