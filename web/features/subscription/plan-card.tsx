import { type PlanId, plans } from '@flashsheet/contracts/plans'
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { dollars } from '../../lib/money.ts'
import { Badge } from '../../ui/badge.tsx'
import { classes } from '../../ui/classes.ts'
import styles from './plan-card.module.css'

type PlanCardProps = {
  plan: PlanId
  /** Its button. */
  action: ReactNode
  /** 'Your Plan' or 'Most Popular'; the latter by itself where it applies. */
  badge?: ReactNode
  /** Drawn with a black line: the one that matters here. The most popular one unless told. */
  marked?: boolean
  /** The level of its heading: 2 right below the page's title, 3 in a section. */
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
    <article className={classes(styles['card'], marked && styles['marked'])} aria-labelledby={`plan-${plan}`}>
      <header>
        <Heading id={`plan-${plan}`} className={styles['name']}>
          {name}
        </Heading>
        {mark && <p className={styles['mark']}>{mark}</p>}
      </header>
      <p className={styles['about']}>{about}</p>
      <p className={styles['price']}>
        <span className={styles['amount']}>{dollars(price)}</span>
        <span className={styles['per']}>/month</span>
      </p>
      {children}
      <ul className={styles['features']}>
        {features.map((feature) => (
          <li key={feature}>
            <Check aria-hidden="true" />
            {feature}
          </li>
        ))}
      </ul>
      <div className={styles['action']}>{action}</div>
    </article>
  )
}
