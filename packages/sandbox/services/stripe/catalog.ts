import { insert } from '../../collection.ts'
import type { SoldPlan } from '../../context.ts'
import { makeObject } from './make-object.ts'
import { invalid, missing, missingParam } from './errors.ts'
import { emit } from './events.ts'
import {
  booleanOf,
  integerOf,
  metadataOf,
  requiredText,
  objectOf,
  oneOf,
  textOf,
  textsOf,
  type Params,
} from './params.ts'
import { listMatching } from './payments.ts'
import { newId, type Account, type Interval, type Price, type Product, type PortalConfiguration } from './state.ts'
import { makeConfiguration, savedFeatures } from './portal-features.ts'

const seededAt = Date.UTC(2026, 0, 5) / 1000

/** The account as set up by its owner: a monthly price with a lookup key for each plan, and a saved portal configuration. */
export function seedCatalog(sold: readonly SoldPlan[]) {
  const plans = sold.map(({ id, name, price: cents }) => {
    const word = name.replaceAll(/\W/g, '')
    return { product: `prod_${word}`, price: `price_1${word}Monthly`, key: id, name, cents }
  })
  const products: Record<string, Product> = {}
  const prices: Record<string, Price> = {}
  const features = savedFeatures(plans.map((plan) => ({ product: plan.product, prices: [plan.price] })))
  const configuration: PortalConfiguration = {
    ...makeConfiguration('bpc_1SandboxDefault000000001', seededAt, features),
    is_default: true,
  }
  for (const plan of plans) {
    products[plan.product] = { ...makeProduct(plan.product, plan.name, seededAt), default_price: plan.price }
    prices[plan.price] = makePrice(plan.price, seededAt, {
      product: plan.product,
      currency: 'usd',
      cents: plan.cents,
      lookupKey: plan.key,
      recurring: { interval: 'month', interval_count: 1 },
    })
  }
  return { products, prices, portalConfigurations: { [configuration.id]: configuration } }
}

function makeProduct(id: string, name: string, at: number): Product {
  return makeObject(
    `default_price description package_dimensions shippable statement_descriptor tax_code tax_details
    unit_label url`,
    {
      id,
      object: 'product',
      active: true,
      created: at,
      images: [],
      livemode: false,
      marketing_features: [],
      metadata: {},
      name,
      type: 'service',
      updated: at,
    },
  )
}

type PriceFacts = {
  product: string
  currency: string
  cents: number
  lookupKey: string | null
  recurring: { interval: Interval; interval_count: number } | null
}

function makePrice(id: string, at: number, facts: PriceFacts): Price {
  return makeObject('custom_unit_amount nickname tiers_mode transform_quantity', {
    id,
    object: 'price',
    active: true,
    billing_scheme: 'per_unit',
    created: at,
    currency: facts.currency,
    livemode: false,
    lookup_key: facts.lookupKey,
    metadata: {},
    product: facts.product,
    recurring: facts.recurring && { ...facts.recurring, meter: null, trial_period_days: null, usage_type: 'licensed' },
    tax_behavior: 'unspecified',
    type: facts.recurring ? 'recurring' : 'one_time',
    unit_amount: facts.cents,
    unit_amount_decimal: String(facts.cents),
  })
}

export function listPrices(account: Account, params: Params): Price[] {
  const keys = textsOf(params, 'lookup_keys')
  if (keys && keys.length > 10) throw invalid('You may only provide up to 10 lookup_keys', 'lookup_keys')
  return listMatching(account.state.prices, params, ['product', 'type', 'currency'], ['active']).filter(
    (price) => !keys || (price.lookup_key !== null && keys.includes(price.lookup_key)),
  )
}

export function createPrice(account: Account, params: Params): Price {
  const product = requiredText(params, 'product')
  if (!account.state.products[product]) throw missing('product', product, 'product', 400)
  const recurring = objectOf(params, 'recurring')
  const lookupKey = textOf(params, 'lookup_key', 200) ?? null
  const holder = lookupKey && Object.values(account.state.prices).find((one) => one.lookup_key === lookupKey)
  if (holder && !booleanOf(params, 'transfer_lookup_key')) {
    throw invalid(`A price (\`${holder.id}\`) already uses that lookup key.`, 'lookup_key')
  }
  if (holder) holder.lookup_key = null
  const cents = integerOf(params, 'unit_amount')
  if (cents === undefined || cents < 0) throw missingParam('unit_amount')
  const price = makePrice(newId('price_1'), account.now(), {
    product,
    currency: requiredText(params, 'currency'),
    cents,
    lookupKey,
    recurring: recurring
      ? {
          interval: oneOf(recurring, 'interval', ['day', 'week', 'month', 'year']) ?? 'month',
          interval_count: integerOf(recurring, 'interval_count', 'recurring[interval_count]') ?? 1,
        }
      : null,
  })
  price['metadata'] = metadataOf(params)
  price['nickname'] = textOf(params, 'nickname') ?? null
  const stored = insert(account.state.prices, price)
  emit(account, 'price.created', stored)
  return stored
}

export function listProducts(account: Account, params: Params): Product[] {
  const ids = textsOf(params, 'ids')
  return listMatching(account.state.products, params, [], ['active']).filter((one) => !ids || ids.includes(one.id))
}

export function createProduct(account: Account, params: Params): Product {
  const product = makeProduct(newId('prod_', 14), requiredText(params, 'name'), account.now())
  product['description'] = textOf(params, 'description') ?? null
  product['metadata'] = metadataOf(params)
  const stored = insert(account.state.products, product)
  emit(account, 'product.created', stored)
  return stored
}

/** The recurring price with this id. Throws a refusal of `param` when there is none. */
export function recurringPrice(account: Account, id: string, param: string): Price {
  const price = account.state.prices[id]
  if (!price) throw missing('price', id, param, 400)
  if (!price.active)
    throw invalid(`The price specified is inactive. This field only accepts active prices.`, param, 'price_inactive')
  if (!price.recurring) throw invalid('You specified `subscription` mode but passed a one-time price.', param)
  return price
}
