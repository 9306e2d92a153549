import { insert } from '../../collection.ts'
import { recurringPrice } from './catalog.ts'
import { invalid, missing, stored, missingParam } from './errors.ts'
import {
  booleanOf,
  listOf,
  metadataOf,
  requiredText,
  objectOf,
  oneOf,
  refuseUnknown,
  textOf,
  textsOf,
  type Params,
} from './params.ts'
import { listMatching } from './payments.ts'
import { makeConfiguration, allFeaturesOff, type PortalFeatures } from './portal-features.ts'
import { newId, type Account, type PortalConfiguration } from './state.ts'

export const configurationParams = 'active business_profile default_return_url features login_page metadata name'

const prorations = ['always_invoice', 'create_prorations', 'none'] as const
function enabledOf(given: Params, name: string): boolean {
  const enabled = booleanOf(given, 'enabled')
  if (enabled === undefined) throw missingParam(`features[${name}][enabled]`)
  return enabled
}

/** Sets the features of `given`, with Stripe's field names; others remain unchanged. */
function fillFeatures(account: Account, features: PortalFeatures, given: Params): void {
  refuseUnknown(given, Object.keys(allFeaturesOff()), 'features')
  const [invoices, card, cancel, update] = [
    objectOf(given, 'invoice_history'),
    objectOf(given, 'payment_method_update'),
    objectOf(given, 'subscription_cancel'),
    objectOf(given, 'subscription_update'),
  ]
  if (booleanOf(objectOf(given, 'customer_update') ?? {}, 'enabled'))
    throw invalid('This stand-in lets nobody change their name here.', 'features[customer_update]')
  if (booleanOf(objectOf(given, 'subscription_pause') ?? {}, 'enabled'))
    throw invalid('This stand-in pauses nothing.', 'features[subscription_pause]')
  if (invoices) features.invoice_history = { enabled: enabledOf(invoices, 'invoice_history') }
  if (card)
    features.payment_method_update = {
      ...features.payment_method_update,
      enabled: enabledOf(card, 'payment_method_update'),
    }
  if (cancel) {
    refuseUnknown(cancel, ['enabled', 'mode', 'proration_behavior'], 'features[subscription_cancel]')
    features.subscription_cancel = {
      ...features.subscription_cancel,
      enabled: enabledOf(cancel, 'subscription_cancel'),
      mode: oneOf(cancel, 'mode', ['at_period_end']) ?? 'at_period_end',
      proration_behavior: oneOf(cancel, 'proration_behavior', prorations) ?? 'none',
    }
  }
  if (update) fillUpdate(account, features, update)
}

function fillUpdate(account: Account, features: PortalFeatures, update: Params): void {
  const updatePath = 'features[subscription_update]'
  refuseUnknown(update, ['default_allowed_updates', 'enabled', 'products', 'proration_behavior'], updatePath)
  const products = (listOf(update, 'products') ?? []).map((one, index) => {
    const at = `${updatePath}[products][${index}]`
    if (typeof one === 'string' || Array.isArray(one)) throw invalid('Invalid object', at)
    const product = requiredText(one, 'product')
    if (!account.state.products[product]) throw missing('product', product, `${at}[product]`, 400)
    const prices = textsOf(one, 'prices') ?? []
    for (const price of prices) {
      if (recurringPrice(account, price, `${at}[prices]`).product !== product)
        throw invalid(`The price ${price} does not belong to the product ${product}.`, `${at}[prices]`)
    }
    return { product, prices }
  })
  if (products.length > 10) throw invalid('You may only provide up to 10 products.', `${updatePath}[products]`)
  const enabled = enabledOf(update, 'subscription_update')
  const allowed = textsOf(update, 'default_allowed_updates') ?? []
  if (enabled && (products.length === 0 || allowed.length === 0))
    throw invalid(
      `You must provide products and default_allowed_updates when subscription_update is enabled.`,
      updatePath,
    )
  features.subscription_update = {
    ...features.subscription_update,
    enabled,
    products,
    default_allowed_updates: allowed,
    proration_behavior: oneOf(update, 'proration_behavior', prorations) ?? 'none',
  }
}

function fill(account: Account, configuration: PortalConfiguration, params: Params): void {
  const features = objectOf(params, 'features')
  if (features) fillFeatures(account, configuration.features, features)
  const profile = objectOf(params, 'business_profile')
  const { headline = null, privacy_policy_url: privacy = null, terms_of_service_url: terms = null } = profile ?? {}
  if (profile)
    configuration['business_profile'] = { headline, privacy_policy_url: privacy, terms_of_service_url: terms }
  for (const name of ['default_return_url', 'name']) {
    const value = textOf(params, name)
    if (value !== undefined) configuration[name] = value || null
  }
  const active = booleanOf(params, 'active')
  if (active !== undefined) configuration.active = active
  configuration.metadata = metadataOf(params, configuration.metadata ?? {})
}

export function createConfiguration(account: Account, params: Params): PortalConfiguration {
  if (!objectOf(params, 'features')) throw missingParam('features')
  const configuration = makeConfiguration(newId('bpc_1'), account.now())
  fill(account, configuration, params)
  return insert(account.state.portalConfigurations, configuration)
}

export function updateConfiguration(account: Account, id: string, params: Params): PortalConfiguration {
  const configuration = stored(account.state.portalConfigurations, 'configuration', id)
  fill(account, configuration, params)
  configuration['updated'] = account.now()
  return configuration
}

export function listConfigurations(account: Account, params: Params): PortalConfiguration[] {
  return listMatching(account.state.portalConfigurations, params, [], ['active', 'is_default'])
}
