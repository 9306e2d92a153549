import { textOf } from '../../../gateways/networks/refusal.ts'
import { graphError, id, type Ask, type StandInAnswer, type Setting, type StandIn } from '../stand-in.ts'

type Container = { id: string; caption: string; at: number; media: string; publishedAt: number; isGone: boolean }

/** Containers that are published once (docs/networks/instagram.md). */
export function instagramStandIn(setting: Setting): StandIn {
  const containers: Container[] = []
  const { now, delays, pageId } = setting
  const published = () => containers.filter((one) => one.publishedAt > 0)

  const publish = (ask: Ask): StandInAnswer => {
    const container = containers.find((one) => one.id === ask.fields['creation_id'])
    if (!container) return graphError(400, 24, 2207008)
    // Not ready, or used up: there is nothing to publish.
    if (container.publishedAt > 0 || container.at + delays.workMs > now()) return graphError(400, 9007, 2207027)
    container.publishedAt = now()
    container.media = `18${id()}`
    return { status: 200, json: { id: container.media } }
  }

  const code = (container: Container): string => {
    if (container.publishedAt > 0) return container.publishedAt <= now() - delays.statusMs ? 'PUBLISHED' : 'FINISHED'
    return container.at + delays.workMs <= now() ? 'FINISHED' : 'IN_PROGRESS'
  }

  return {
    answer(ask) {
      if (!setting.isAlive(ask.token)) return graphError(401, 190, 463)
      const [, , first = '', edge = ''] = ask.path.split('/')
      if (edge === 'content_publishing_limit')
        return {
          status: 200,
          json: { data: [{ quota_usage: 0, config: { quota_total: 100, quota_duration: 86_400 } }] },
        }
      if (edge === 'media_publish') return publish(ask)
      if (edge === 'media' && ask.method === 'POST') {
        const container = {
          id: `17${id()}`,
          caption: textOf(ask.fields['caption']),
          at: now(),
          media: '',
          publishedAt: 0,
          isGone: false,
        }
        containers.push(container)
        return { status: 200, json: { id: container.id } }
      }
      if (edge === 'media') {
        const data = published()
          .filter((one) => one.publishedAt <= now() - delays.listMs)
          .map((one) => ({ id: one.media, caption: one.caption, timestamp: new Date(one.publishedAt).toISOString() }))
        return { status: 200, json: { data } }
      }
      const container = containers.find((one) => one.id === first)
      if (container)
        return container.isGone
          ? graphError(400, 100, 33)
          : { status: 200, json: { id: container.id, status_code: code(container), status: 'x' } }
      if (published().some((one) => one.media === first))
        return { status: 200, json: { id: first, permalink: `https://www.instagram.com/p/${first}/` } }
      return first === pageId || first === 'me'
        ? { status: 200, json: { id: pageId, user_id: pageId } }
        : graphError(400, 100, 33)
    },
    shown: () => published().length,
    isListed: () =>
      published().some(
        (one) =>
          (!one.isGone && one.publishedAt <= now() - delays.statusMs) || one.publishedAt <= now() - delays.listMs,
      ),
    polled: (ask) => (ask.method === 'GET' ? containers.find((one) => ask.path.endsWith(`/${one.id}`))?.id : undefined),
    forget: () => {
      for (const container of containers) container.isGone = true
    },
  }
}
