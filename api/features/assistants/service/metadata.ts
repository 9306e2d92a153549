import { assistantScopes } from '@flashsheet/contracts/assistants/limits'
import type { System } from '../../../core/context.ts'

type Configured = Pick<System, 'config'>

/** The resource that access tokens are issued for. */
const resourceOf = ({ config }: Configured): string => `${config.publicUrl}/mcp`

/** Whether a requested resource is ours, with or without a slash at the end. */
export const isOwnResource = (system: Configured, resource: string): boolean =>
  [resourceOf(system), `${resourceOf(system)}/`].includes(resource)

/** The metadata of the protected resource /mcp (RFC 9728). */
export const protectedResource = (system: Configured) => ({
  resource: resourceOf(system),
  authorization_servers: [system.config.publicUrl],
  scopes_supported: [...assistantScopes],
  bearer_methods_supported: ['header'],
  resource_name: 'Flashsheet',
  resource_documentation: `${system.config.publicUrl}/developers`,
})

/** The metadata of the authorization server (RFC 8414). */
export const authorizationServer = ({ config: { publicUrl } }: Configured) => ({
  issuer: publicUrl,
  authorization_endpoint: `${publicUrl}/oauth/authorize`,
  token_endpoint: `${publicUrl}/oauth/token`,
  registration_endpoint: `${publicUrl}/oauth/register`,
  revocation_endpoint: `${publicUrl}/oauth/revoke`,
  scopes_supported: [...assistantScopes],
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
})
