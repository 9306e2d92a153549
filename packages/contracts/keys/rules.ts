import type { KeyScope } from './limits.ts'

/** Whether a key with these scopes may do what needs `wanted`. */
export function opensScope(scopes: readonly KeyScope[], wanted: KeyScope): boolean {
  return scopes.includes(wanted) || scopes.some((scope) => scope === wanted.replace(':read', ':write'))
}
