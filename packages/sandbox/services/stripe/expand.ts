import { invalid } from './errors.ts'
import { customerView } from './customers.ts'
import { sessionLines } from './checkout.ts'
import { snapshot } from './events.ts'
import type { Account, Customer, Entity } from './state.ts'

type Json = Record<string, unknown>

/** Fields that are only sent when expanded, by kind of object: their entries, and the path of the list. */
const included: Record<string, (account: Account, id: string) => [data: unknown[], url: string]> = {
  'invoice payments': ({ state }, id) => [
    Object.values(state.invoicePayments).filter((one) => one.invoice === id),
    'invoice_payments',
  ],
  'checkout.session line_items': (account, id) => [sessionLines(account, id), `checkout/sessions/${id}/line_items`],
}

/**
 * The object as it is sent, with each `expand[]` path filled in. Refuses paths that cannot be expanded or are deeper
 * than four.
 */
export function expanded(account: Account, object: unknown, paths: readonly string[]): unknown {
  const copy = snapshot(object as object) as Json
  for (const path of paths) {
    const steps = path.split('.')
    if (steps.length > 4)
      throw invalid(`You cannot expand more than 4 levels of a property. Property: ${path}`, 'expand[0]')
    expandPath(account, copy, steps, path)
  }
  return copy
}

function expandPath(account: Account, at: Json, steps: readonly string[], path: string): void {
  const [field, ...rest] = steps
  if (field === undefined) return
  const refusal = invalid(
    `This property cannot be expanded (${path}). You may want to try expanding a different property.`,
    'expand[0]',
  )
  if (!(field in at)) {
    const entries = included[`${String(at['object'])} ${field}`]
    if (!entries) throw refusal
    const [data, url] = entries(account, String(at['id']))
    at[field] = { object: 'list', data: snapshot(data), has_more: false, total_count: data.length, url: `/v1/${url}` }
  } else if (typeof at[field] === 'string') at[field] = found(account, at[field], refusal)
  const value = at[field]
  if (Array.isArray(value)) for (const one of value) expandPath(account, one as Json, rest, path)
  else if (value !== null && typeof value === 'object') expandPath(account, value as Json, rest, path)
  else if (value !== null) throw refusal
}

function found(account: Account, id: string, refusal: Error): unknown {
  const entity = Object.values(account.state)
    .map((all) => (all as Record<string, Partial<Entity>>)[id])
    .find((one) => one?.object !== undefined)
  if (!entity) throw refusal
  return snapshot((entity.object === 'customer' ? customerView(entity as Customer) : entity) as object)
}
