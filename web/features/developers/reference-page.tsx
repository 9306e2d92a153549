import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Skeleton } from '../../ui/skeleton.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { PageTitle } from '../parts/page-title.tsx'
import { classes } from '../../ui/classes.ts'
import page from '../parts/text-page.module.css'
import developers from './developers-page.module.css'
import { operationsOf, type OpenApiDocument, type Operation } from './openapi-document.ts'
import { OperationItem } from './operation-item.tsx'
import { groupOperations } from './reference-groups.ts'
import styles from './reference.module.css'
import { PendingQuery } from '../parts/pending-query.tsx'

const matches = ({ method, path, summary, operationId }: Operation, query: string) =>
  query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => `${method} ${path} ${summary} ${operationId}`.toLowerCase().includes(word))

async function loadDocument(): Promise<OpenApiDocument> {
  const response = await fetch('/api/openapi.json', { signal: AbortSignal.timeout(30_000) })
  if (!response.ok) throw new Error(`the description answered ${response.status}`)
  return (await response.json()) as OpenApiDocument
}

/** /developers/reference: all operations for API keys and all webhooks from the OpenAPI document, with a form to try each operation. */
export function ReferencePage() {
  const description = useQuery({ queryKey: ['openapi'], queryFn: loadDocument, staleTime: Infinity, retry: false })
  const { data } = description
  // The key is held in memory only.
  const [apiKey, setApiKey] = useState('')
  const [query, setQuery] = useState('')
  const operations = data ? operationsOf(data).filter((operation) => matches(operation, query)) : []
  const groups = groupOperations(operations)
  // The list is rendered after the browser has tried to scroll to the URL's fragment.
  useEffect(() => {
    if (data) document.getElementById(location.hash.slice(1))?.scrollIntoView()
  }, [data])
  return (
    <article className={classes(page['page'], developers['page'])}>
      <p className={styles['back']}>
        <Link to="/developers">
          <ArrowLeft /> Developers
        </Link>
      </p>
      <PageTitle className={page['title']}>Reference</PageTitle>
      <p className={page['lead']}>
        What a program can call with a key, and what your server is called with, made from{' '}
        <a href="/api/openapi.json">OpenAPI 3.1</a>.
      </p>
      <div className={styles['tools']}>
        <TextField
          label="Your API key"
          description="To try calls with. It stays in this page and is forgotten when you leave it."
          value={apiKey}
          onChange={(value) => setApiKey(value.trim())}
          autoComplete="off"
        />
        <TextField label="Find" type="search" value={query} onChange={setQuery} maxLength={80} autoComplete="off" />
      </div>
      {!data ? (
        <PendingQuery query={description} label="Loading the reference" failed="The reference could not be loaded">
          <div className={styles['loading']}>
            <Skeleton width="half" />
            <Skeleton />
            <Skeleton />
          </div>
        </PendingQuery>
      ) : groups.length === 0 ? (
        <p>No call matches that.</p>
      ) : (
        groups.map(([title, inGroup]) => (
          <section key={title} className={styles['group']} aria-label={title}>
            <h2>{title}</h2>
            {inGroup.map((operation) => (
              <OperationItem key={operation.operationId} document={data} operation={operation} apiKey={apiKey} />
            ))}
          </section>
        ))
      )}
    </article>
  )
}
