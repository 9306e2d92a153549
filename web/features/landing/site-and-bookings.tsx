import { appointmentLimits } from '@flashsheet/contracts/appointments/limits'
import { studioPlan } from '@flashsheet/contracts/plans'
import { Badge } from '../../ui/badge.tsx'
import { buttonClass } from '../../ui/button-class.ts'
import landing from './landing-screen.module.css'
import siteAvif from './pictures/site.avif'
import siteWebp from './pictures/site.webp'
import { Scene, SceneRow, SceneThumb } from './scene.tsx'
import layout from '../../ui/layout.module.css'
import { classes } from '../../ui/classes.ts'
import styles from './site-and-bookings.module.css'

const facts = [
  {
    title: 'Never goes stale',
    text: 'Tick a box when you post, and the pictures hang in your gallery too. Your colours, your words, your name in the address.',
  },
  {
    title: 'Clients book a free time',
    text: 'They see your open hours, not your calendar. A request holds the time until you accept or decline it, and everybody is told by email.',
  },
  {
    title: 'Never two in one chair',
    text: `The same hour cannot be booked twice, however many people press at once. Clients are reminded ${appointmentLimits.reminderDays} days before.`,
  },
]

/** What a plan with a studio adds: the client's view on a phone and the artist's calendar. */
export function SiteAndBookings() {
  return (
    <section className={landing['section']} aria-labelledby="site-title">
      <div className={styles['columns']}>
        <div className={styles['pictures']}>
          <div className={styles['phone']}>
            <picture>
              <source srcSet={siteAvif} type="image/avif" />
              <img
                src={siteWebp}
                width={600}
                height={1298}
                loading="lazy"
                decoding="async"
                alt="The website of a tattoo artist on a phone: her flash on the wall, her name, and a button to book"
              />
            </picture>
          </div>
          <div className={styles['request']}>
            <Scene label="A client asks for half a day on Friday afternoon; the artist can accept or decline">
              <SceneRow
                picture={<SceneThumb drawing="cherries" />}
                title="Ida Blom"
                note="1/2 Day Booking"
                end={<Badge tone="pending">Pending</Badge>}
              />
              <div className={classes(layout['row-2'], styles['ask'])}>
                <p className={styles['when']}>Fri, November 27, 1:00 PM – 5:00 PM</p>
                <span className={buttonClass({ variant: 'ink', size: 'small' })}>Accept</span>
                <span className={buttonClass({ size: 'small' })}>Decline</span>
              </div>
            </Scene>
          </div>
        </div>
        <div>
          <h2 id="site-title" className={landing['heading']}>
            Your own website, and bookings without a clash
          </h2>
          <p className={landing['sub']}>With {studioPlan.name}.</p>
          <ul className={styles['facts']}>
            {facts.map(({ title, text }) => (
              <li key={title}>
                <h3 className={styles['fact']}>{title}</h3>
                <p className={styles['text']}>{text}</p>
              </li>
            ))}
          </ul>
        </div>
      </div>
    </section>
  )
}
