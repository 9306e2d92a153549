import { type PlanId, plans } from '@flashsheet/contracts/plans'
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatDollars } from '../../lib/money.ts'
import { Badge } from '../../ui/badge.tsx'
import { classes } from '../../ui/classes.ts'
import text from '../../ui/text.module.css'
import layout from '../../ui/layout.module.css'
import styles from './plan-card.module.css'

type PlanCardProps = {
  plan: PlanId
  action: ReactNode
  /** Default: "Most Popular" for the most popular plan. */
  badge?: ReactNode
  /** Emphasised with a black border. Default: the most popular plan. */
  marked?: boolean
  /** The heading level: 2 below the page's title, 3 within a section. */
  level?: 2 | 3
  children?: ReactNode
}

export function PlanCard({
  plan,
  action,
  badge,
  marked = plans[plan].mostPopular,
  level = 3,
  children,
}: PlanCardProps) {
  const Heading = `h${level}` as const
  const { name, about, price, features, mostPopular } = plans[plan]
  const mark = badge ?? (mostPopular ? <Badge>Most Popular</Badge> : undefined)
  return (
    <article
      className={classes(layout['sheet'], styles['card'], marked && styles['marked'])}
      aria-labelledby={`plan-${plan}`}
    >
      <header>
        <Heading id={`plan-${plan}`} className={text['title']}>
          {name}
        </Heading>
        {mark && <p className={styles['mark']}>{mark}</p>}
      </header>
      <p className={styles['about']}>{about}</p>
      <p className={styles['price']}>
        <span className={styles['amount']}>{formatDollars(price)}</span>
        <span className={text['muted']}>/month</span>
      </p>
      {children}
      <ul className={styles['features']}>
        {features.map((feature) => (
          <li key={feature}>
            <Check />
            {feature}
          </li>
        ))}
      </ul>
      <div className={styles['action']}>{action}</div>
    </article>
  )
}
