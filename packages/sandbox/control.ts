import { Hono } from 'hono'
import { sendPersonAction } from './callbacks.ts'
import { ControlError, faultFrom, fieldsOf, instant, serviceOf, whole, word } from './control-body.ts'
import { stripeControl } from './services/stripe/control.ts'
import { StripeError } from './services/stripe/errors.ts'
import { receivedCalls } from './services/sink.ts'
import { mails, type StoredMail } from './mail/mailbox.ts'
import type { Holds } from './holds.ts'
import { modules } from './modules.ts'
import { loggedRequests } from './request-log.ts'
import type { PublishedPost, SandboxContext } from './context.ts'

/**
 * The control API with which tests control the sandbox, mounted at `/_control`. An invalid body answers 400 `{message}`.
 */
export function controlApi(sandbox: SandboxContext, holds: Holds, reset: () => void): Hono {
  const app = new Hono()

  app.get('/mail', (c) => {
    const recipient = c.req.query('to')?.toLowerCase()
    const found = mails(sandbox).filter((one) => !recipient || one.to.toLowerCase().split(', ').includes(recipient))
    return c.json(found.map(mailView))
  })

  app.get('/posts', (c) => {
    const { platform, pageId } = c.req.query()
    const posts = sandbox
      .posts()
      .filter((one) => (!platform || one.platform === platform) && (!pageId || one.pageId === pageId))
    return c.json(posts.map(postView))
  })

  app.get('/sink', (c) => c.json(receivedCalls(sandbox, c.req.query('name'))))

  app.get('/requests', (c) => {
    const service = c.req.query('service') ? serviceOf(c.req.query('service')) : undefined
    const since = instant(c.req.query('since'))
    const requests = loggedRequests(sandbox).filter(
      (one) => (!service || one.service === service) && (since === undefined || Date.parse(one.at) >= since),
    )
    return c.json(requests)
  })

  app.get('/faults', (c) => c.json(sandbox.control().faults.map(({ id, fired }) => ({ id, fired }))))
  app.post('/faults', async (c) => {
    const fault = faultFrom(await fieldsOf(c), `fault_${sandbox.secret(8)}`)
    sandbox.control().faults.push({ ...fault, seen: 0 })
    return c.json({ id: fault.id })
  })
  app.delete('/faults', (c) => {
    sandbox.control().faults = []
    holds.release()
    return c.json({})
  })

  app.get('/defaults', (c) =>
    c.json(
      Object.fromEntries(modules.filter((one) => one.defaults).map((one) => [one.service, one.defaults!(sandbox)])),
    ),
  )

  app.post('/pages', async (c) => {
    const fields = await fieldsOf(c)
    const makers = modules.filter((one) => one.makePage)
    const module = makers.find((one) => one.service === fields['platform'])
    if (!module) throw new ControlError(`platform is one of ${makers.map((one) => one.service).join(', ')}`)
    const count = whole(fields, 'count', undefined, 1, 1000)
    return c.json(Array.from({ length: count }, () => module.makePage!(sandbox)))
  })

  app.post('/limits', async (c) => {
    const fields = await fieldsOf(c)
    if (fields['quotas'] !== undefined && typeof fields['quotas'] !== 'boolean')
      throw new ControlError('quotas is true or false')
    const { limits } = sandbox.control()
    if (fields['processingMs'] !== undefined)
      limits.processingMs = whole(fields, 'processingMs', undefined, 0, 3_600_000)
    if (fields['quotas'] !== undefined) limits.quotas = fields['quotas']
    return c.json(sandbox.settings)
  })

  // The callbacks that a person triggers in the settings of a network.
  app.post('/callbacks', async (c) => {
    const fields = await fieldsOf(c)
    const { kind } = fields
    if (kind !== 'deauthorize' && kind !== 'data-deletion')
      throw new ControlError("kind is 'deauthorize' or 'data-deletion'")
    return c.json(await sendPersonAction(sandbox, word(fields, 'platform'), kind, word(fields, 'userId')))
  })

  app.route('/stripe', stripeControl(sandbox))

  app.post('/reset', (c) => {
    reset()
    return c.json({})
  })

  app.all('*', (c) => c.json({ message: `No such control call: ${c.req.method} ${c.req.path}` }, 404))
  app.onError((error, c) => {
    if (error instanceof ControlError || error instanceof StripeError) return c.json({ message: error.message }, 400)
    console.error('sandbox control', error)
    return c.json({ message: 'The sandbox failed' }, 500)
  })
  return app
}

function mailView(stored: StoredMail) {
  const { id: _, attachments: __, ...mail } = stored
  return mail
}

/** A post with all of its fields. No network of the sandbox has comments. */
function postView(post: PublishedPost) {
  return { kind: 'post', extras: {}, comments: [], ...post }
}
