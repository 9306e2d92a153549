import { useEffect, useState } from 'react'
import type { OpenApiDocument } from './openapi-document.ts'

type Loaded = { data: OpenApiDocument } | { error: unknown } | null

async function loadDocument(): Promise<OpenApiDocument> {
  const response = await fetch('/api/openapi.json', { signal: AbortSignal.timeout(30_000) })
  if (!response.ok) throw new Error(`the description answered ${response.status}`)
  return (await response.json()) as OpenApiDocument
}

/** The OpenAPI document of this installation; null while loading. Uses fetch, because public pages do not load React Query. */
export function useOpenApiDocument(): { loaded: Loaded; retry: () => void } {
  const [loaded, setLoaded] = useState<Loaded>(null)
  const [round, setRound] = useState(0)
  useEffect(() => {
    let isWanted = true
    void loadDocument().then(
      (data) => isWanted && setLoaded({ data }),
      (error: unknown) => isWanted && setLoaded({ error }),
    )
    return () => {
      isWanted = false
    }
  }, [round])
  return {
    loaded,
    retry: () => {
      setLoaded(null)
      setRound(round + 1)
    },
  }
}
