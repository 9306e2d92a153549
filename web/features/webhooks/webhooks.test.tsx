import { webhookLimits } from '@flashsheet/contracts/webhooks/limits'
import { subscriptionStatusMessages } from '@flashsheet/contracts/subscription/messages'
import { disabledReasonLabels, webhookMessages } from '@flashsheet/contracts/webhooks/messages'
import type { WebhookDelivery, WebhookEndpoint } from '@flashsheet/contracts/webhooks/schema'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { clickTwice, noConnection, refusal, renderWithAnswers, type Answers } from '../../test-fixture.tsx'
import { Deliveries } from './deliveries.tsx'
import { EndpointScreen } from './endpoint-screen.tsx'
import { WebhookEndpoints } from './webhook-endpoints.tsx'

const endpoint = (number: number, changes: Partial<WebhookEndpoint> = {}): WebhookEndpoint => ({
  _id: `019a0000-0000-7000-8000-0000000000${10 + number}`,
  url: `https://studio.example/hook-${number}`,
  events: ['post.posted'],
  description: '',
  active: true,
  createdAt: '2039-11-01T12:00:00.000Z',
  disabledAt: null,
  disabledReason: null,
  lastDelivery: null,
  ...changes,
})
const add = page.getByRole('button', { name: 'Add an endpoint' })
const dialog = page.getByRole('dialog')

describe('the endpoints', () => {
  const renderList = async (list: () => WebhookEndpoint[], webhooks: Answers['webhooks'] = {}) =>
    await renderWithAnswers(<WebhookEndpoints />, { webhooks: { list, ...webhooks } })

  test('without a paid plan, show that webhooks need one, and what the artist has to do', async () => {
    await renderList(() => {
      throw refusal(403, { message: subscriptionStatusMessages.past_due, code: 'no_subscription' })
    })
    await expect.element(page.getByText(webhookMessages.needsPlan)).toBeVisible()
    await expect.element(page.getByText(subscriptionStatusMessages.past_due)).toBeVisible()
    await expect
      .element(page.getByRole('link', { name: 'View your subscription' }))
      .toHaveAttribute('href', '/subscription')
    await expect.element(add).not.toBeInTheDocument()
  })

  test('with ten endpoints no other can be added', async () => {
    const all = Array.from({ length: webhookLimits.endpointsPerArtist }, (_, at) => endpoint(at))
    await renderList(() => all)
    await expect.element(page.getByText(webhookMessages.full)).toBeVisible()
    await expect.element(add).toBeDisabled()
  })

  test('show an error when they cannot be loaded, and appear after a retry', async () => {
    let isDown = true
    await renderList(() => {
      if (isDown) throw noConnection()
      return [endpoint(1)]
    })
    await expect.element(page.getByText(webhookMessages.loadFailed)).toBeVisible()
    isDown = false
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.element(page.getByRole('link', { name: 'https://studio.example/hook-1' })).toBeVisible()
  })

  test('show their last delivery, and why one is off', async () => {
    await renderList(() => [
      endpoint(1, { lastDelivery: { at: '2039-11-02T15:00:00.000Z', state: 'failed' } }),
      endpoint(2, { active: false, disabledReason: 'gone', events: ['post.posted', 'post.failed'] }),
    ])
    const rows = page.getByRole('list', { name: 'Webhook endpoints' }).getByRole('listitem')
    await expect.poll(() => rows.first().element().textContent).toMatch(/1 event, last .*: failed.*On$/)
    await expect.poll(() => rows.last().element().textContent).toMatch(/2 events, nothing sent yet.*Off$/)
    await expect.element(rows.last().getByText(disabledReasonLabels.gone)).toBeVisible()
  })

  test('a new endpoint needs an address and an event, shows a refusal at its field, and shows its secret once', async () => {
    let refusals = 1
    const { calls } = await renderList(() => [], {
      create: ({ url, events }) => {
        if (refusals-- > 0)
          throw refusal(400, { message: 'Please check.', code: 'invalid', fields: { url: webhookMessages.urlRefused } })
        return { ...endpoint(1), url, events, secret: 'whsec_once' }
      },
    })
    const created = () => calls.filter(({ path }) => path === 'webhooks.create')
    await add.click()
    const submit = dialog.getByRole('button', { name: 'Add the endpoint' })
    await submit.click()
    await expect.element(dialog.getByText(webhookMessages.urlRefused)).toBeVisible()
    await expect.element(dialog.getByText(webhookMessages.eventsRequired)).toBeVisible()
    expect(created()).toEqual([])
    const address = dialog.getByRole('textbox', { name: 'Address' })
    await address.fill('https://10.0.0.1/hook')
    await expect.element(dialog.getByText(webhookMessages.urlRefused)).not.toBeInTheDocument()
    await dialog.getByText('A post is posted to all its pages').click()
    await expect.element(dialog.getByText(webhookMessages.eventsRequired)).not.toBeInTheDocument()
    await submit.click()
    await expect.element(dialog.getByText(webhookMessages.urlRefused)).toBeVisible()
    await address.fill('https://studio.example/hook')
    await submit.dblClick()
    await expect.element(dialog.getByText('whsec_once')).toBeVisible()
    expect(created()).toHaveLength(2)
    expect(created()[1]).toMatchObject({ input: { url: 'https://studio.example/hook', events: ['post.posted'] } })
    await dialog.getByRole('button', { name: 'Done' }).click()
    await expect.element(dialog).not.toBeInTheDocument()
    await expect.element(page.getByText('whsec_once')).not.toBeInTheDocument()
  })
})

describe('the screen of an endpoint', () => {
  test('that was switched off shows the reason; it can be switched on again, and off', async () => {
    let shown = endpoint(1, { active: false, disabledReason: 'gone', disabledAt: '2039-11-02T15:00:00.000Z' })
    const { calls } = await renderWithAnswers(<EndpointScreen id={shown._id} />, {
      webhooks: {
        list: () => [shown],
        deliveries: () => [],
        update: ({ active }) =>
          (shown = active
            ? endpoint(1)
            : endpoint(1, { active: false, disabledReason: 'switched_off', disabledAt: '2039-11-02T16:00:00.000Z' })),
      },
    })
    await expect.element(page.getByText(disabledReasonLabels.gone, { exact: false })).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Send a test' })).toBeDisabled()
    await page.getByRole('button', { name: 'Switch on again' }).click()
    await expect.element(page.getByText(webhookMessages.switchedOn)).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Send a test' })).toBeEnabled()
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Switch off' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Switch it off' }).click()
    await expect.element(page.getByText(/^You switched it off\./)).toBeVisible()
    expect(calls.filter(({ path }) => path === 'webhooks.update').map(({ input }) => input)).toEqual([
      { id: shown._id, active: true },
      { id: shown._id, active: false },
    ])
  })

  test('a save sends the edited fields only, so that it does not undo what another device has saved', async () => {
    const { calls } = await renderWithAnswers(<EndpointScreen id={endpoint(1)._id} />, {
      webhooks: { list: () => [endpoint(1)], deliveries: () => [], update: () => endpoint(1) },
    })
    await page.getByRole('button', { name: 'Change', exact: true }).click()
    await dialog.getByRole('textbox', { name: 'Note (optional)' }).fill('Accounting')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect.element(dialog).not.toBeInTheDocument()
    expect(calls.filter(({ path }) => path === 'webhooks.update').map(({ input }) => input)).toEqual([
      { id: endpoint(1)._id, description: 'Accounting' },
    ])
  })

  test('its secret is replaced once on a double click', async () => {
    const { calls } = await renderWithAnswers(<EndpointScreen id={endpoint(1)._id} />, {
      webhooks: {
        list: () => [endpoint(1)],
        deliveries: () => [],
        rotate: () => ({ ...endpoint(1), secret: 'whsec_new' }),
      },
    })
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Replace the secret' }).click()
    await clickTwice(page.getByRole('alertdialog').getByRole('button', { name: 'Replace it' }))
    await expect.element(dialog.getByText('whsec_new')).toBeVisible()
    expect(calls.filter(({ path }) => path === 'webhooks.rotate')).toHaveLength(1)
  })

  test("that was deleted, or is another artist's, says that it does not exist", async () => {
    await renderWithAnswers(<EndpointScreen id={endpoint(2)._id} />, { webhooks: { list: () => [endpoint(1)] } })
    await expect.element(page.getByText(webhookMessages.endpointGone)).toBeVisible()
    await expect
      .element(page.getByRole('link', { name: 'See your endpoints' }))
      .toHaveAttribute('href', '/settings/developers')
  })

  test('that is deleted on another device while it is changed here says that it does not exist', async () => {
    let endpoints = [endpoint(1)]
    await renderWithAnswers(<EndpointScreen id={endpoint(1)._id} />, {
      webhooks: {
        list: () => endpoints,
        deliveries: () => [],
        update: () => {
          throw refusal(404, { message: webhookMessages.endpointGone, code: 'notFound' })
        },
      },
    })
    await page.getByRole('button', { name: 'Change' }).click()
    await dialog.getByRole('textbox', { name: 'Address' }).fill('https://studio.example/new')
    endpoints = []
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect.element(page.getByRole('link', { name: 'See your endpoints' })).toBeVisible()
    await expect.element(page.getByText(webhookMessages.endpointGone)).toBeVisible()
    await expect.element(dialog).not.toBeInTheDocument()
  })

  test('with a long address fits a narrow phone', async () => {
    await page.viewport(320, 700)
    const long = endpoint(1, { url: `https://studio.example/${'w'.repeat(300)}` })
    const { calls } = await renderWithAnswers(
      <main>
        <WebhookEndpoints />
        <EndpointScreen id={long._id} />
      </main>,
      { webhooks: { list: () => [long], deliveries: () => [] } },
    )
    await expect.element(page.getByRole('link', { name: long.url })).toBeVisible()
    await expect.poll(() => calls.map(({ path }) => path)).toContain('webhooks.deliveries')
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(document.documentElement.clientWidth)
  })
})

describe('the deliveries of an endpoint', () => {
  const attempt = { at: '2039-11-02T15:00:00.000Z', ms: 12, error: null }
  const delivery = (number: number, changes: Partial<WebhookDelivery>): WebhookDelivery => ({
    _id: `019a0000-0000-7000-8000-0000000000${20 + number}`,
    eventId: `019a0000-0000-7000-8000-0000000000${40 + number}`,
    type: 'ping',
    at: '2039-11-02T15:00:00.000Z',
    attempts: [],
    state: 'delivered',
    nextAt: null,
    ...changes,
  })
  const renderList = async (deliveries: () => WebhookDelivery[], shown = endpoint(1)) =>
    await renderWithAnswers(<Deliveries endpoint={shown} />, { webhooks: { deliveries } })

  test('an empty list suggests a test, or to switch the endpoint on first', async () => {
    const screen = await renderList(() => [])
    await expect.element(page.getByText('Send a test to see whether your server can be reached.')).toBeVisible()
    await screen.unmount()
    await renderList(() => [], endpoint(1, { active: false }))
    await expect.element(page.getByText('Switch the endpoint on first.')).toBeVisible()
  })

  test('each shows the response, the number of attempts and the time of the next one', async () => {
    await renderList(() => [
      delivery(1, { attempts: [{ ...attempt, status: 204 }] }),
      delivery(2, {
        type: 'post.failed',
        state: 'pending',
        nextAt: '2039-11-02T16:00:00.000Z',
        attempts: [
          { ...attempt, status: 500 },
          { ...attempt, status: null, error: webhookMessages.timedOut },
        ],
      }),
    ])
    const rows = page.getByRole('list', { name: 'Deliveries' }).getByRole('listitem')
    await expect
      .poll(() => rows.first().element().textContent)
      .toMatch(/A test call.*answered 204 after 12 ms.*Delivered$/)
    await expect
      .poll(() => rows.last().element().textContent)
      .toMatch(/No answer within 15 seconds\., 2 tries.*Next try .*Waiting$/)
  })

  test('show an error with a retry when they cannot be loaded', async () => {
    await renderList(() => {
      throw noConnection()
    })
    await expect.element(page.getByText(webhookMessages.deliveriesFailed)).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Try again' })).toBeEnabled()
  })
})
