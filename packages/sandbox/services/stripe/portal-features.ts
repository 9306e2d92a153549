import type { PortalConfiguration } from './state.ts'

export type PortalFeatures = ReturnType<typeof allFeaturesOff>

const none = <T>(): T[] => []

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
export function allFeaturesOff() {
  return {
    customer_update: { allowed_updates: none<string>(), enabled: false },
    invoice_history: { enabled: false },
    payment_method_update: { enabled: false, payment_method_configuration: null },
    subscription_cancel: {
      cancellation_reason: { enabled: false, options: none<string>() },
      enabled: false,
      mode: 'at_period_end',
      proration_behavior: 'none',
    },
    subscription_pause: { enabled: false },
    subscription_update: {
      billing_cycle_anchor: null,
      default_allowed_updates: none<string>(),
      enabled: false,
      products: none<{ product: string; prices: string[] }>(),
      proration_behavior: 'none',
      schedule_at_period_end: { conditions: none<never>() },
      trial_update_behavior: 'end_trial',
    },
  }
}

/** The configuration that the owner saved at the dashboard, before the API was used. */
export function savedFeatures(products: { product: string; prices: string[] }[]): PortalFeatures {
  const off = allFeaturesOff()
  return {
    ...off,
    invoice_history: { enabled: true },
    payment_method_update: { ...off.payment_method_update, enabled: true },
    subscription_cancel: { ...off.subscription_cancel, enabled: true },
    subscription_update: {
      ...off.subscription_update,
      default_allowed_updates: ['price'],
      enabled: true,
      products,
      proration_behavior: 'always_invoice',
    },
  }
}
