import type { Answer, NetworkFixture } from './network-fixture.ts'

/** Opens a consent page with these query parameters; undefined ones are left out. `back` is the address that it redirects to. */
export async function openConsent(
  fixture: NetworkFixture,
  page: string,
  parameters: Record<string, string | undefined>,
): Promise<Answer & { back: URL | undefined }> {
  const query = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as [string, string]],
  )
  const answer = await fixture.call('GET', `${page}?${String(new URLSearchParams(query))}`)
  const location = answer.headers.get('location')
  return { ...answer, back: location ? new URL(location) : undefined }
}
