import { Link, useLocation } from '@tanstack/react-router'
import { Plus, SearchX } from 'lucide-react'
import { useEffect, useState } from 'react'
import { EmptyState } from '../../ui/empty-state.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { answers, helpScreens, type Answer } from './answers.ts'
import { classes } from '../../ui/classes.ts'
import layout from '../../ui/layout.module.css'
import text from '../../ui/text.module.css'
import styles from './help-answers.module.css'
import { searchAnswers } from './search-answers.ts'

/** Questions and answers by screen, with a search. The fragment of the URL opens an answer. */
export function HelpAnswers() {
  const [query, setQuery] = useState('')
  const found = searchAnswers(answers, query)
  const isSearching = query.trim() !== ''
  return (
    <div className={layout['stack-6']}>
      <TextField
        label="Search the answers"
        type="search"
        value={query}
        onChange={setQuery}
        placeholder="cancel, time zone, failed"
        autoComplete="off"
        enterKeyHint="search"
      />
      <output aria-live="polite">
        <VisuallyHidden>{isSearching && (found.length === 1 ? '1 answer' : `${found.length} answers`)}</VisuallyHidden>
      </output>
      {found.length === 0 ? (
        <EmptyState icon={<SearchX />} title="No answer to that">
          <p>Try another word, or write to us below.</p>
        </EmptyState>
      ) : isSearching ? (
        <AnswerList of={found} />
      ) : (
        helpScreens.map(({ id, title, to }) => (
          <section key={id} aria-labelledby={`help-${id}`} className={layout['stack-3']}>
            <h2 id={`help-${id}`} className={text['lead']}>
              <Link to={to} className={classes(text['quiet-link'], styles['screen'])}>
                {title}
              </Link>
            </h2>
            <AnswerList of={found.filter((answer) => answer.screen === id)} />
          </section>
        ))
      )}
    </div>
  )
}

function AnswerList({ of }: { of: readonly Answer[] }) {
  const fragment = useLocation({ select: (location) => location.hash })
  useEffect(() => {
    if (fragment === '') return
    const element = document.getElementById(fragment)
    if (element instanceof HTMLDetailsElement) element.open = true
  }, [fragment])
  return (
    <div className={layout['sheet']}>
      {of.map(({ id, question, answer }) => (
        <details key={id} id={id} className={styles['answer']}>
          <summary className={classes(layout['summary'], styles['question'])}>
            {question}
            <Plus />
          </summary>
          <div className={styles['text']}>
            {answer.map((paragraph) => (
              <p key={paragraph}>{paragraph}</p>
            ))}
          </div>
        </details>
      ))}
    </div>
  )
}
