import type { Visitor } from './actors.ts'
import { control, eventually, mailTo, type SandboxPost } from './sandbox.ts'

type Where = { sandboxUrl: string }

/** Follows redirects and approves at each page of the sandbox; returns the final address. */
export async function followRedirects(
  visitor: Visitor,
  where: Where,
  url: string,
  extra: Record<string, string> = {},
): Promise<string> {
  let next = url
  for (let hop = 0; hop < 15; hop++) {
    const atSandbox = next.startsWith(where.sandboxUrl)
    let response: Response
    if (atSandbox) {
      const target = new URL(next)
      for (const [name, value] of Object.entries({ auto: 'approve', ...extra })) target.searchParams.set(name, value)
      response = await fetch(target, { redirect: 'manual' })
    } else {
      response = await visitor.fetch(next)
    }
    const location = response.headers.get('location')
    if (!location) return next
    next = atSandbox ? new URL(location, next).toString() : location
  }
  throw new Error(`too many redirects from ${url}`)
}

/** Registers, verifies by mail and subscribes, over the API and the sandbox's pages. */
export async function signUp(visitor: Visitor, where: Where, email: string, plan = 'complete-shading'): Promise<void> {
  await visitor.post('/api/users', {
    name: 'Ines Farrow',
    email,
    password: 'a good long password',
    timeZone: 'America/New_York',
  })
  const mail = await mailTo(where, email)
  const link = mail.links.find((one) => one.includes('/verify-email'))
  const token = new URL(link ?? 'http://none.example').searchParams.get('token')
  const verified = await visitor.post('/api/users/verify-email', { token })
  if (verified.status !== 200)
    throw new Error(`verifying answered ${verified.status}: ${JSON.stringify(verified.body)}`)
  const checkout = await visitor.post<{ url: string }>('/api/subscriptions/create-checkout-session', { plan })
  if (checkout.status !== 200) throw new Error(`checkout answered ${checkout.status}: ${JSON.stringify(checkout.body)}`)
  await followRedirects(visitor, where, checkout.body.url)
  await eventually('the subscription to be active', async () => {
    const answer = await visitor.get<{ status: string }>('/api/subscriptions/current')
    return answer.status === 200 && answer.body.status === 'active'
  })
}

export type Account = { _id: string; platform: string; pages: { pageId: string; name: string }[] }

/** One variant per page of the given accounts. */
export function variantsFor(accounts: readonly Account[], words: { title?: string; message: string }) {
  return accounts.flatMap((account) =>
    account.pages.map((page) => ({
      platform: account.platform,
      socialAccountId: account._id,
      pageId: page.pageId,
      title: words.title ?? '',
      message: words.message,
    })),
  )
}

/** The networks' posts with this text. */
export async function postsAtNetworks(where: Where, text: string): Promise<SandboxPost[]> {
  const posts = await control<SandboxPost[]>(where, 'GET', '/posts')
  return posts.filter((post) => post.text.includes(text) || post.title.includes(text))
}
