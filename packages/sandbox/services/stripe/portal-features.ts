import type { PortalConfiguration, PortalFeatures } from './state.ts'

/** A configuration with only the features that were requested. */
export function makeConfiguration(
  id: string,
  at: number,
  features: PortalFeatures = allFeaturesOff(),
): PortalConfiguration {
  return {
    id,
    object: 'billing_portal.configuration',
    active: true,
    application: null,
    business_profile: { headline: null, privacy_policy_url: null, terms_of_service_url: null },
    created: at,
    default_return_url: null,
    features,
    is_default: false,
    livemode: false,
    login_page: { enabled: false, url: null },
    metadata: {},
    name: null,
    updated: at,
  }
}

/** Every feature, disabled. */
export function allFeaturesOff(): PortalFeatures {
  return {
    customer_update: { allowed_updates: [], enabled: false },
    invoice_history: { enabled: false },
    payment_method_update: { enabled: false, payment_method_configuration: null },
    subscription_cancel: {
      cancellation_reason: { enabled: false, options: [] },
      enabled: false,
      mode: 'at_period_end',
      proration_behavior: 'none',
    },
    subscription_pause: { enabled: false },
    subscription_update: {
      billing_cycle_anchor: null,
      default_allowed_updates: [],
      enabled: false,
      products: [],
      proration_behavior: 'none',
      schedule_at_period_end: { conditions: [] },
      trial_update_behavior: 'end_trial',
    },
  }
}

/** The configuration that the owner saved at the dashboard, before the API was used. */
export function savedFeatures(products: { product: string; prices: string[] }[]): PortalFeatures {
  const none = allFeaturesOff()
  return {
    ...none,
    invoice_history: { enabled: true },
    payment_method_update: { ...none.payment_method_update, enabled: true },
    subscription_cancel: { ...none.subscription_cancel, enabled: true },
    subscription_update: {
      ...none.subscription_update,
      default_allowed_updates: ['price'],
      enabled: true,
      products,
      proration_behavior: 'always_invoice',
    },
  }
}
