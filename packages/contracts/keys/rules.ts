import type { KeyScope } from './limits.ts'

/** Whether a key with these scopes may do what requires `required`. */
export function grantsScope(scopes: readonly KeyScope[], required: KeyScope): boolean {
  return scopes.includes(required) || scopes.some((scope) => scope === required.replace(':read', ':write'))
}
