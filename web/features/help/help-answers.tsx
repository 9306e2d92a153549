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

/** Questions and answers by screen, with a search. The fragment of the address opens an answer. */
export function HelpAnswers() {
  const [asked, setAsked] = useState('')
  const found = searchAnswers(answers, asked)
  const searching = asked.trim() !== ''
  return (
    <div className={layout['stack-6']}>
      <TextField
        label="Search the answers"
        type="search"
        value={asked}
        onChange={setAsked}
        placeholder="cancel, time zone, failed"
        autoComplete="off"
        enterKeyHint="search"
      />
      <output aria-live="polite">
        <VisuallyHidden>{searching && (found.length === 1 ? '1 answer' : `${found.length} answers`)}</VisuallyHidden>
      </output>
      {found.length === 0 ? (
        <EmptyState icon={<SearchX />} title="No answer to that">
          <p>Try another word, or write to us below.</p>
        </EmptyState>
      ) : searching ? (
        <AnswerList of={found} />
      ) : (
        helpScreens.map(({ id, title, to }) => (
          <section key={id} aria-labelledby={`help-${id}`} className={layout['stack-3']}>
            <h2 id={`help-${id}`} className={text['lead']}>
              <Link to={to} className={styles['screen']}>
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
  const named = useLocation({ select: (location) => location.hash })
  useEffect(() => {
    if (named === '') return
    const element = document.getElementById(named)
    if (element instanceof HTMLDetailsElement) element.open = true
  }, [named])
  return (
    <div className={styles['list']}>
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
