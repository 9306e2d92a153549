import { modules } from './modules.ts'
import type { Identity, IdentityPage, Network, SandboxContext } from './context.ts'

type NetworkDefaults = { identities: Identity[]; pages: IdentityPage[] }

/** The publisher: the page's name, and its user name where the network has one. */
export type PageName = { name: string; username?: string }

/**
 * The name of a page by the defaults of its network's module; the id itself when it is not there. An identity that is its
 * own page comes first, since it has a user name.
 */
export function pageName(sandbox: SandboxContext, network: Network, pageId: string): PageName {
  const module = modules.find((one) => one.service === network)
  const { identities = [], pages = [] } = (module?.defaults?.(sandbox) ?? {}) as Partial<NetworkDefaults>
  const all: (Identity | IdentityPage)[] = [...identities.flatMap((one) => [one, ...one.pages]), ...pages]
  return all.find((one) => one.id === pageId) ?? { name: pageId }
}
