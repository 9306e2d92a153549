import { nameList, networks, platforms } from '@flashsheet/contracts/networks'
import { planIds, plans } from '@flashsheet/contracts/plans'
import { socialLimits } from '@flashsheet/contracts/social/limits'
import { subscriptionLimits } from '@flashsheet/contracts/subscription/limits'
import { ArrowDown } from 'lucide-react'
import { useRememberedUser } from '../../lib/remembered-user.ts'
import { ButtonAnchor, ButtonLink } from '../../ui/button-link.tsx'
import { NetworkIcon } from '../social/network-icon.tsx'
import { PlanCard } from '../subscription/plan-card.tsx'
import { ContactBlock } from './contact-block.tsx'
import { Faqs } from './faqs.tsx'
import { HeroSheet } from './hero-sheet.tsx'
import { HowItWorks } from './how-it-works.tsx'
import text from '../../ui/text.module.css'
import styles from './landing-screen.module.css'
import { SiteAndBookings } from './site-and-bookings.tsx'

export function LandingScreen() {
  return (
    <>
      <section className={styles['hero']}>
        <div>
          <h1 className={styles['claim']}>Post it once. Get back to the needle.</h1>
          <p className={styles['lead']}>
            Flashsheet puts your finished piece on {nameList()} in one go. Right now, or at the hour you choose.
          </p>
          <div className={styles['ways']}>
            <ButtonAnchor href="#pricing" variant="primary" size="large">
              Get Started Today!
            </ButtonAnchor>
            <ButtonAnchor href="#how-it-works" size="large" icon={<ArrowDown />}>
              How it works
            </ButtonAnchor>
          </div>
        </div>
        <HeroSheet />
      </section>

      <HowItWorks />

      <section className={styles['section']} aria-labelledby="networks-title">
        <h2 id="networks-title" className={styles['heading']}>
          All your networks, one post
        </h2>
        <p className={styles['sub']}>
          Connect up to {socialLimits.accounts} accounts. Each page gets the caption you wrote for it, or one for all.
        </p>
        <ul className={styles['networks']}>
          {platforms.map((platform) => (
            <li key={platform} className={styles['network']}>
              <span className={styles['sign']}>
                <NetworkIcon platform={platform} />
              </span>
              <h3 className={styles['network-name']}>{networks[platform].name}</h3>
              <p>{networks[platform].media.images ? 'Pictures and videos' : 'Videos'}</p>
              <p className={text['note']}>Needs {networks[platform].account}</p>
            </li>
          ))}
        </ul>
      </section>

      <SiteAndBookings />
      <Pricing />
      <Faqs />
      <ContactBlock />
    </>
  )
}

function Pricing() {
  const user = useRememberedUser()
  return (
    <section id="pricing" className={styles['split']} aria-labelledby="pricing-title">
      <div>
        <h2 id="pricing-title" className={styles['heading']}>
          Simple monthly plans
        </h2>
        <p className={styles['sub']}>
          No free trial. Your money back within {subscriptionLimits.refundWindowDays} days if it is not for you.
        </p>
      </div>
      <div className={styles['plans']}>
        {planIds.map((plan) => (
          <PlanCard
            key={plan}
            plan={plan}
            action={
              <ButtonLink
                to={user ? '/subscription' : '/login'}
                data-plan={plan}
                variant={plans[plan].mostPopular ? 'primary' : 'secondary'}
                size="large"
                wide
              >
                Get Started
              </ButtonLink>
            }
          />
        ))}
      </div>
    </section>
  )
}
