import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useEffect, useState } from 'react'
import { failureOf } from '../../lib/failure.ts'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { PageTitle } from '../parts/page-title.tsx'
import { classes } from '../../ui/classes.ts'
import page from '../parts/text-page.module.css'
import developers from './developers-page.module.css'
import { operationsOf, type Operation } from './openapi-document.ts'
import { OperationItem } from './operation-item.tsx'
import { groupOperations } from './reference-groups.ts'
import styles from './reference.module.css'
import { useOpenApiDocument } from './use-openapi-document.ts'
import { RetryAlert } from '../parts/retry-alert.tsx'

const matches = ({ method, path, summary, operationId }: Operation, query: string) =>
  query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => `${method} ${path} ${summary} ${operationId}`.toLowerCase().includes(word))

/** /developers/reference: all operations for API keys and all webhooks from the OpenAPI document, with a form to try each operation. */
export function ReferencePage() {
  const { loaded, retry } = useOpenApiDocument()
  const data = loaded && 'data' in loaded ? loaded.data : null
  // The key is held in memory only.
  const [apiKey, setApiKey] = useState('')
  const [query, setQuery] = useState('')
  const operations = data ? operationsOf(data).filter((operation) => matches(operation, query)) : []
  const groups = groupOperations(operations)
  // The list is rendered after the browser has tried to scroll to the URL's fragment.
  useEffect(() => {
    if (data) document.getElementById(location.hash.slice(1))?.scrollIntoView()
  }, [data])
  const failure = loaded && 'error' in loaded && failureOf(loaded.error, 'The reference could not be loaded')
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
      {failure ? (
        <RetryAlert live failure={failure} onRetry={retry} />
      ) : !data ? (
        <div className={styles['loading']}>
          <Loading label="Loading the reference">
            <Skeleton width="half" />
            <Skeleton />
            <Skeleton />
          </Loading>
        </div>
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
