import { useEffect, useState } from 'react'
import type { OpenApiDocument } from './openapi-document.ts'

type Loaded = { data: OpenApiDocument } | { error: unknown } | null

async function loadDocument(): Promise<OpenApiDocument> {
  const response = await fetch('/api/openapi.json', { signal: AbortSignal.timeout(30_000) })
  if (!response.ok) throw new Error(`the description answered ${response.status}`)
  return (await response.json()) as OpenApiDocument
}

/** The OpenAPI document of this installation; null while it loads. Uses fetch, because public pages do not load React Query. */
export function useOpenApiDocument(): { loaded: Loaded; retry: () => void } {
  const [loaded, setLoaded] = useState<Loaded>(null)
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    let isMounted = true
    void loadDocument().then(
      (data) => isMounted && setLoaded({ data }),
      (error: unknown) => isMounted && setLoaded({ error }),
    )
    return () => {
      isMounted = false
    }
  }, [attempt])
  return {
    loaded,
    retry: () => {
      setLoaded(null)
      setAttempt(attempt + 1)
    },
  }
}
