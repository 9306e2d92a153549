import { studioPlan } from '@flashsheet/contracts/plans'
import type { Site } from '@flashsheet/contracts/website/schema'
import { trpc } from '../../lib/trpc.ts'
import { ButtonLink } from '../../ui/button-link.tsx'
import { Card } from '../../ui/card.tsx'
import { NoticePage } from '../parts/notice-page.tsx'
import { useClosedScreen } from '../subscription/use-closed-screen.ts'
import layout from '../../ui/layout.module.css'
import { classes } from '../../ui/classes.ts'
import styles from './read-only-site.module.css'

/** /website-builder if the plan includes no website: an offer, and a read-only view of a website that was made before a downgrade. */
export function ReadOnlySite({ message }: { message: string }) {
  const { data: storedSite } = trpc.website.kept.useQuery()
  useClosedScreen('studio')
  return (
    <div className={layout['stack-6']}>
      <NoticePage
        motif="anchor"
        title={storedSite ? 'Your website is kept for you' : 'A website of your own'}
        actions={
          <ButtonLink to="/subscription" variant="primary" size="large">
            View plans
          </ButtonLink>
        }
      >
        <p>
          {storedSite ? `Nothing is lost: with ${studioPlan.name} all of it is back at once, as you left it.` : message}
        </p>
      </NoticePage>
      {storedSite && <Stored site={storedSite} />}
    </div>
  )
}

function Stored({ site }: { site: Site }) {
  const { personalInfo, address, gallery } = site
  const media = trpc.media.list.useQuery(undefined, { enabled: gallery.length > 0 })
  const pictures = gallery.flatMap((id) => media.data?.find((item) => item._id === id) ?? [])
  const facts = [
    ['Name', [personalInfo.name, personalInfo.shopName].filter(Boolean).join(', ')],
    ['Domain name', personalInfo.domainName],
    ['Address', [address.shopAddress, address.city, address.state, address.zip].filter(Boolean).join(', ')],
    ['Contact', [personalInfo.email, personalInfo.phone].filter(Boolean).join(' · ')],
    ['About', personalInfo.about],
  ].filter(([, value]) => value !== '')
  return (
    <Card title="What is stored">
      <dl className={styles['facts']}>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        <div>
          <dt>Gallery</dt>
          <dd>{gallery.length === 1 ? '1 picture' : `${gallery.length} pictures`}</dd>
        </div>
      </dl>
      {pictures.length > 0 && (
        <ul className={classes(layout['stack-2'], styles['pictures'])} aria-label="Gallery">
          {pictures.map((item) => (
            <li key={item._id}>
              <img src={item.thumbnailUrl} alt={item.fileName} loading="lazy" />
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
