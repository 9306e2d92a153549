import { plans, subscriptionLimits } from '@flashsheet/contracts/plain'
import { dollars } from '../../lib/money.ts'
import { LegalPage } from './legal-page.tsx'

/** /terms-of-service: the rules of spec 9 in plain words. */
export function TermsOfService() {
  const { 'social-line-work': small, 'complete-shading': large } = plans
  return (
    <LegalPage title="Terms of Service" lead="The rules between you and Flashsheet, as short as they can be.">
      <h2>Who may use it</h2>
      <p>You must be at least 18 years old. One account is one person; keep your password to yourself.</p>
      <h2>What you pay</h2>
      <p>
        {small.name} costs {dollars(small.price)} a month, {large.name} {dollars(large.price)} a month, in US dollars. There is no free trial. The plan renews every month until you cancel it.
      </p>
      <h2>Changing your mind</h2>
      <p>
        You can cancel at any time; the plan then runs to the end of the month you paid for. Within {subscriptionLimits.refundWindowDays} days of your first payment you can have it back.
      </p>
      <h2>Your work stays yours</h2>
      <p>
        You keep all rights in what you upload. You allow us to store it and to send it to the networks and pages you pick, because that is what the product does. Post only what you have the right to post, and keep to the rules of
        each network.
      </p>
      <h2>What we promise, and what we cannot</h2>
      <p>
        We publish what you scheduled at the time you chose, as well as the networks let us. A network may be out of reach, change its rules or refuse a post; we then say so and do not hide it. Our liability is limited to the amount you paid us in the
        30 days before.
      </p>
      <h2>When it ends</h2>
      <p>After you cancel, your data is kept for {subscriptionLimits.dataKeptDays} days, so that you can come back. Then it is deleted.</p>
    </LegalPage>
  )
}
