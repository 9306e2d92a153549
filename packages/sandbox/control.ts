import { Hono } from 'hono'
import { sendPersonAction } from './callbacks.ts'
import { ControlError, faultFrom, fieldsOf, instant, serviceOf, whole, word } from './control-body.ts'
import type { stripeControl } from './services/stripe.ts'
import { parsePastAction } from './services/stripe/past-actions.ts'
import { receivedCalls } from './services/sink.ts'
import type { StoredMail } from './mail/mailbox.ts'
import type { Holds } from './holds.ts'
import type { ControlState } from './make-context.ts'
import type { RequestLog } from './request-log.ts'
import type { PublishedPost, ServiceModule, SandboxContext } from './context.ts'

/** The parts of the sandbox that the control API uses. */
type Controlled = {
  sandbox: SandboxContext
  modules: readonly ServiceModule[]
  log: RequestLog
  state(): ControlState
  holds: Holds
  mail(): StoredMail[]
  stripe: ReturnType<typeof stripeControl>
  reset(): void
}

/**
 * The control API with which tests control the sandbox, mounted at `/_control`. An invalid body answers 400 `{message}`.
 */
export function controlApi(parts: Controlled): Hono {
  const app = new Hono()
  const { sandbox } = parts

  app.get('/mail', (c) => {
    const recipient = c.req.query('to')?.toLowerCase()
    const mails = parts.mail().filter((one) => !recipient || one.to.toLowerCase().split(', ').includes(recipient))
    return c.json(mails.map(mailView))
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
    const requests = parts.log
      .list()
      .filter((one) => (!service || one.service === service) && (since === undefined || Date.parse(one.at) >= since))
    return c.json(requests)
  })

  app.get('/faults', (c) => c.json(parts.state().faults.map(({ id, fired }) => ({ id, fired }))))
  app.post('/faults', async (c) => {
    const fault = faultFrom(await fieldsOf(c), `fault_${sandbox.secret(8)}`)
    parts.state().faults.push({ ...fault, seen: 0 })
    return c.json({ id: fault.id })
  })
  app.delete('/faults', (c) => {
    parts.state().faults = []
    parts.holds.release()
    return c.json({})
  })

  app.get('/defaults', (c) =>
    c.json(
      Object.fromEntries(
        parts.modules.filter((one) => one.defaults).map((one) => [one.service, one.defaults!(sandbox)]),
      ),
    ),
  )

  app.post('/pages', async (c) => {
    const fields = await fieldsOf(c)
    const makers = parts.modules.filter((one) => one.makePage)
    const module = makers.find((one) => one.service === fields['platform'])
    if (!module) throw new ControlError(`platform is one of ${makers.map((one) => one.service).join(', ')}`)
    const count = whole(fields, 'count', undefined, 1, 1000)
    return c.json(Array.from({ length: count }, () => module.makePage!(sandbox)))
  })

  app.post('/limits', async (c) => {
    const fields = await fieldsOf(c)
    if (fields['quotas'] !== undefined && typeof fields['quotas'] !== 'boolean')
      throw new ControlError('quotas is true or false')
    const processingMs = whole(fields, 'processingMs', sandbox.settings.processingMs, 0, 3_600_000)
    if (fields['processingMs'] !== undefined) sandbox.settings.processingMs = processingMs
    if (typeof fields['quotas'] === 'boolean') sandbox.settings.quotas = fields['quotas']
    return c.json({ quotas: sandbox.settings.quotas, processingMs: sandbox.settings.processingMs })
  })

  app.get('/stripe/events', (c) => c.json(parts.stripe.events()))
  app.post('/stripe/resend', async (c) => {
    const ids = (await fieldsOf(c))['events']
    if (!Array.isArray(ids) || !ids.every((id): id is string => typeof id === 'string'))
      throw new ControlError('events is a list of ids')
    const problem = await parts.stripe.resend(ids)
    if (problem) throw new ControlError(problem)
    return c.json({ events: ids })
  })
  app.post('/stripe/advance', async (c) => {
    const fields = await fieldsOf(c)
    const target = fields['to']
    if (target !== 'renewal' && target !== 'end') throw new ControlError("to is 'renewal' or 'end'")
    const subscription = word(fields, 'subscription')
    const problem = parts.stripe.advance(subscription, target)
    if (problem) throw new ControlError(problem)
    return c.json({ subscription, to: target })
  })

  // The callbacks that a person triggers in the settings of a network.
  app.post('/callbacks', async (c) => {
    const fields = await fieldsOf(c)
    const { kind } = fields
    if (kind !== 'deauthorize' && kind !== 'data-deletion')
      throw new ControlError("kind is 'deauthorize' or 'data-deletion'")
    const answer = await sendPersonAction(sandbox, word(fields, 'platform'), kind, word(fields, 'userId'))
    if (typeof answer === 'string') throw new ControlError(answer)
    return c.json(answer)
  })

  // Disputes have no page of their own and do not follow from the clock.
  app.post('/stripe/dispute', async (c) => {
    const fields = await fieldsOf(c)
    const { outcome } = fields
    if (outcome !== undefined && outcome !== 'won' && outcome !== 'lost')
      throw new ControlError("outcome is 'won' or 'lost', or absent to begin")
    const answer = parts.stripe.dispute(word(fields, 'subscription'), outcome)
    if (typeof answer === 'string') throw new ControlError(answer)
    return c.json(answer)
  })

  // Actions with a date in the past, which give seeded customers a billing history.
  app.post('/stripe/past', async (c) => {
    const action = parsePastAction(await fieldsOf(c))
    const answer = typeof action === 'string' ? action : parts.stripe.past(action)
    if (typeof answer === 'string') throw new ControlError(answer)
    return c.json(answer)
  })

  app.post('/reset', (c) => {
    parts.reset()
    return c.json({})
  })

  app.all('*', (c) => c.json({ message: `No such control call: ${c.req.method} ${c.req.path}` }, 404))
  app.onError((error, c) => {
    if (error instanceof ControlError) return c.json({ message: error.message }, 400)
    console.error('sandbox control', error)
    return c.json({ message: 'The sandbox failed' }, 500)
  })
  return app
}

function mailView(stored: StoredMail) {
  const { id: _, replyTo: __, attachments: ___, ...mail } = stored
  return mail
}

/** A post without the blobs' file names, which are internal. No network of the sandbox has comments. */
function postView(post: PublishedPost) {
  const media = post.media.map((one) => {
    const { blob: _, ...facts } = one
    return facts
  })
  return { kind: 'post', extras: {}, comments: [], ...post, media }
}
