import { missing } from './errors.ts'
import { booleanOf, metadataOf, objectOf, textOf } from './params.ts'
import type { Params } from './form.ts'
import { newId, type Account, type PortalConfiguration } from './state.ts'

export const configurationParams = ['active', 'business_profile', 'default_return_url', 'features', 'login_page', 'metadata', 'name']

/** What the portal offers; a configuration here always offers everything it can. */
export function makeConfiguration(id: string, at: number): PortalConfiguration {
  return {
    id,
    object: 'billing_portal.configuration',
    active: true,
    application: null,
    business_profile: { headline: null, privacy_policy_url: null, terms_of_service_url: null },
    created: at,
    default_return_url: null,
    features: {
      customer_update: { allowed_updates: [], enabled: false },
      invoice_history: { enabled: true },
      payment_method_update: { enabled: true, payment_method_configuration: null },
      subscription_cancel: { cancellation_reason: { enabled: false, options: [] }, enabled: true, mode: 'at_period_end', proration_behavior: 'none' },
      subscription_pause: { enabled: false },
      subscription_update: { default_allowed_updates: ['price'], enabled: true, proration_behavior: 'always_invoice' },
    },
    is_default: false,
    livemode: false,
    login_page: { enabled: false, url: null },
    metadata: {},
    name: null,
    updated: at,
  }
}

function fill(configuration: PortalConfiguration, params: Params): void {
  const profile = objectOf(params, 'business_profile')
  const { headline = null, privacy_policy_url: privacy = null, terms_of_service_url: terms = null } = profile ?? {}
  if (profile) configuration['business_profile'] = { headline, privacy_policy_url: privacy, terms_of_service_url: terms }
  for (const name of ['default_return_url', 'name']) {
    const value = textOf(params, name)
    if (value !== undefined) configuration[name] = value || null
  }
  const active = booleanOf(params, 'active')
  if (active !== undefined) configuration.active = active
  configuration.metadata = metadataOf(params, configuration.metadata ?? {})
}

export function createConfiguration(account: Account, params: Params): PortalConfiguration {
  const configuration = makeConfiguration(newId('bpc_1'), account.now())
  fill(configuration, params)
  account.state.portalConfigurations[configuration.id] = configuration
  return account.state.portalConfigurations[configuration.id]!
}

export function updateConfiguration(account: Account, id: string, params: Params): PortalConfiguration {
  const configuration = account.state.portalConfigurations[id]
  if (!configuration) throw missing('configuration', id)
  fill(configuration, params)
  configuration['updated'] = account.now()
  return configuration
}

export function listConfigurations(account: Account, params: Params): PortalConfiguration[] {
  const [active, isDefault] = [booleanOf(params, 'active'), booleanOf(params, 'is_default')]
  return Object.values(account.state.portalConfigurations).filter(
    (one) => (active === undefined || one.active === active) && (isDefault === undefined || one.is_default === isDefault),
  )
}
