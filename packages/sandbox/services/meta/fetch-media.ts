import type { PublishedMedia, SandboxContext } from '../../context.ts'

export type Fetched = { ok: true; media: PublishedMedia } | { ok: false; why: string }

const timeoutMs = 60_000

/**
 * Downloads media as Meta's crawler does (docs/networks/facebook.md): http(s) only, without credentials in the address, at
 * most `limit` bytes, and without redirects unless `redirects`. Never throws: `why` has the reason.
 */
export async function fetchMedia(
  sandbox: SandboxContext,
  address: string,
  options: { redirects: boolean; limit: number },
): Promise<Fetched> {
  if (!URL.canParse(address)) return { ok: false, why: 'not an address' }
  const url = new URL(address)
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return { ok: false, why: `${url.protocol} is not http or https` }
  if (url.username !== '' || url.password !== '') return { ok: false, why: 'the address holds a log-in' }
  try {
    const answer = await fetch(url, {
      headers: {
        'user-agent': 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
        accept: '*/*',
      },
      redirect: options.redirects ? 'follow' : 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (!answer.ok || !answer.body) {
      await answer.body?.cancel()
      return { ok: false, why: `the server answered ${answer.status}` }
    }
    let read = 0
    const measured = answer.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          read += chunk.byteLength
          if (read > options.limit) controller.error(new Error(`larger than ${options.limit} bytes`))
          else controller.enqueue(chunk)
        },
      }),
    )
    const media = await sandbox.storeBlob(measured)
    return media.bytes === 0 ? { ok: false, why: 'the file is empty' } : { ok: true, media }
  } catch (error) {
    return { ok: false, why: error instanceof Error ? error.message : 'no answer' }
  }
}
