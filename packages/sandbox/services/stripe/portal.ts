import { insert } from '../../collection.ts'
import { usableCustomer } from './customers.ts'
import { invalid, missing, missingParam } from './errors.ts'
import { addressOf, onlyItem, requiredText, objectOf, oneOf, refuseUnknown, textOf, type Params } from './params.ts'
import {
  newId,
  type Account,
  type PortalConfiguration,
  type PortalSession,
  type Subscription,
  hasEnded,
} from './state.ts'

export const portalParams = 'configuration customer flow_data locale on_behalf_of return_url'

const flows = [
  'customer_update',
  'payment_method_update',
  'subscription_cancel',
  'subscription_update',
  'subscription_update_confirm',
] as const

/** `POST /v1/billing_portal/sessions`. Refused while there is no configuration. */
export function createPortalSession(account: Account, params: Params): PortalSession {
  const customer = usableCustomer(account, requiredText(params, 'customer'))
  const returnUrl = addressOf(params, 'return_url') ?? null
  const configurationId = textOf(params, 'configuration')
  const all = Object.values(account.state.portalConfigurations)
  const configuration = configurationId
    ? account.state.portalConfigurations[configurationId]
    : all.find((one) => one.is_default && one.active)
  if (configurationId && !configuration) throw missing('configuration', configurationId, 'configuration', 400)
  if (!configuration) {
    throw invalid(
      'No configuration provided and your test mode default configuration has not been created. Provide a configuration or create your default by saving your customer portal settings in test mode at https://dashboard.stripe.com/test/settings/billing/portal.',
    )
  }
  const id = newId('bps_1')
  return insert(account.state.portalSessions, {
    id,
    object: 'billing_portal.session',
    configuration: configuration.id,
    created: account.now(),
    customer: customer.id,
    customer_account: null,
    flow: flowFrom(account, customer.id, configuration, params),
    livemode: false,
    locale: textOf(params, 'locale') ?? null,
    on_behalf_of: null,
    return_url: returnUrl ?? (configuration['default_return_url'] as string | null),
    url: `${account.sandbox.url}/portal/${id}`,
  })
}

function flowFrom(
  account: Account,
  customer: string,
  configuration: PortalConfiguration,
  params: Params,
): Record<string, unknown> | null {
  const data = objectOf(params, 'flow_data')
  if (!data) return null
  refuseUnknown(data, ['after_completion', 'type', ...flows], 'flow_data')
  const type = oneOf(data, 'type', flows)
  if (!type) throw missingParam('flow_data[type]')
  const details = objectOf(data, type)
  const needsSubscription = type.startsWith('subscription_')
  const subscription = details && textOf(details, 'subscription')
  if (needsSubscription && !subscription) throw missingParam(`flow_data[${type}][subscription]`)
  const found = subscription ? account.state.subscriptions[subscription] : undefined
  if (needsSubscription && found?.customer !== customer)
    throw missing('subscription', subscription ?? '', `flow_data[${type}][subscription]`, 400)
  if (found && hasEnded(found)) {
    throw invalid(
      'This subscription cannot be updated because it is already canceled.',
      `flow_data[${type}][subscription]`,
    )
  }
  checkFlow(configuration, type, found, details)
  const after = objectOf(data, 'after_completion')
  const redirect = after && objectOf(after, 'redirect')
  const flow: Record<string, unknown> = {
    after_completion: {
      hosted_confirmation: null,
      redirect: redirect ? { return_url: addressOf(redirect, 'return_url') ?? null } : null,
      type:
        (after && oneOf(after, 'type', ['hosted_confirmation', 'portal_homepage', 'redirect'])) ?? 'portal_homepage',
    },
    type,
  }
  for (const one of flows) if (one !== 'payment_method_update') flow[one] = null
  if (details && type !== 'payment_method_update') flow[type] = details
  return flow
}

/** A flow needs its feature; a change needs an offered price other than the current one. */
function checkFlow(
  configuration: PortalConfiguration,
  type: string,
  subscription: Subscription | undefined,
  details: Params | undefined,
): void {
  const {
    payment_method_update: card,
    subscription_cancel: cancel,
    subscription_update: update,
  } = configuration.features
  const enabled =
    {
      payment_method_update: card.enabled,
      subscription_cancel: cancel.enabled,
      subscription_update: update.enabled,
      subscription_update_confirm: update.enabled,
    }[type] ?? false
  if (!enabled)
    throw invalid(
      `This flow cannot be used because the feature is disabled in the portal configuration: ${type}.`,
      'flow_data[type]',
    )
  if (type === 'subscription_cancel' && subscription?.cancel_at !== null) {
    throw invalid(
      'This subscription cannot be canceled because it is already set to be canceled at the period end.',
      'flow_data[subscription_cancel][subscription]',
    )
  }
  if (type !== 'subscription_update_confirm') return
  const itemsPath = 'flow_data[subscription_update_confirm][items]'
  const item = onlyItem(details ?? {}, 'items', 'One item is updated at a time.', itemsPath)
  refuseUnknown(item, ['id', 'price', 'quantity'], `${itemsPath}[0]`)
  const [own] = subscription?.items.data ?? []
  if (requiredText(item, 'id') !== own?.id)
    throw missing('subscription_item', textOf(item, 'id') ?? '', `${itemsPath}[0][id]`, 400)
  const price = requiredText(item, 'price')
  if (price === own.price.id)
    throw invalid('This subscription update cannot be confirmed because nothing changes.', itemsPath)
  if (!update.products.some((one) => one.prices.includes(price))) {
    throw invalid(
      'The price is not included in `features[subscription_update][products]` of the portal configuration.',
      `${itemsPath}[0][price]`,
    )
  }
}
