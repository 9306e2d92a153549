import { graceDays } from '@flashsheet/contracts/auth/limits'
import { plans, planIds } from '@flashsheet/contracts/plans'
import { postLimits } from '@flashsheet/contracts/posts/limits'
import { subscriptionLimits } from '@flashsheet/contracts/subscription/limits'
import { Link } from '@tanstack/react-router'
import { formatDollars } from '../../lib/money.ts'
import { LegalPage } from './legal-page.tsx'

const offered = planIds.map((id) => plans[id])

const lowercaseList = (phrases: readonly string[]): string =>
  new Intl.ListFormat('en').format(phrases.map((phrase) => phrase.charAt(0).toLowerCase() + phrase.slice(1)))

/** /terms-of-service. A change of the rules that it names must be reflected here. */
export function TermsOfService() {
  return (
    <LegalPage
      title="Terms of Service"
      lead="The rules between you and Flashsheet, as short as they can be."
      since="November 22, 2026"
    >
      <h2>Who may use it</h2>
      <p>
        You must be at least 18 years old. One account is one login for one person; keep your password to yourself, and
        tell us if somebody else may have it.
      </p>

      <h2>What you get</h2>
      <p>{offered.map(({ name, features }) => `${name}: ${lowercaseList(features)}.`).join(' ')}</p>

      <h2>What you pay</h2>
      <p>
        {offered.map(({ name, price }, at) => `${name} ${at === 0 ? 'costs ' : ''}${formatDollars(price)} a month, `)}
        in US dollars. There is no free trial. The plan renews every month until you cancel it. A change of plan counts
        at once, and the difference is priced to the day.
      </p>
      <p>
        If a payment fails we say so and try again. Meanwhile your scheduled posts go out and your website and bookings
        stay up, but the screens of the app wait until you have paid.
      </p>

      <h2>Changing your mind</h2>
      <p>
        You can cancel at any time; the plan then runs to the end of the month you paid for. Within{' '}
        {subscriptionLimits.refundWindowDays} days of your first payment you can have it back:{' '}
        <Link to="/contact">write to us</Link>.
      </p>

      <h2>Your work stays yours</h2>
      <p>
        You keep all rights in what you upload. You allow us to store it, to make the sizes and formats the networks and
        your website need, and to send it to the pages you pick, because that is what the product does. That permission
        ends when you delete it. Post only what you have the right to post, with the consent of whoever can be seen on
        it, and keep to the rules of each network.
      </p>

      <h2>Your clients</h2>
      <p>
        An appointment is between you and your client: we carry the request and the answer, and take no part in price,
        payment or the tattoo. What clients enter is yours to protect. Use it for the appointment alone, and delete it
        when they ask. The <Link to="/privacy-policy">Privacy Policy</Link> says what we do with it on your behalf.
      </p>

      <h2>What is not allowed</h2>
      <p>
        Anything against the law; somebody else’s work or name; misleading your clients; sending what nobody asked for;
        getting around limits, or into what is not yours. We may then deactivate an account. Its owner is told, and can{' '}
        <Link to="/contact">answer</Link>.
      </p>

      <h2>What we promise, and what we cannot</h2>
      <p>
        We publish what you scheduled at the time you chose, once, as well as the networks let us. A network may be out
        of reach, change its rules, limit how much you post in a day, or refuse a post; we then say so and do not hide
        it. A post that could not go out for {postLimits.missedAfterHours} hours after its time is not sent any more;
        waiting for a network’s daily allowance does not count.
      </p>
      <p>
        Our liability is limited to the amount you paid us in the 30 days before. Where the law does not allow such a
        limit, it does not apply.
      </p>

      <h2>When it ends</h2>
      <p>
        After your subscription ends, your data is kept for {subscriptionLimits.dataKeptDays} days, so that you can come
        back to it; for so long your website says how to reach you. You can delete your account in Settings at any time:
        you have {graceDays} days to take that back, then everything is deleted for good.
      </p>

      <h2>Changes</h2>
      <p>
        If these rules change, the day at the top changes with them, and what concerns your payments or your data is
        told to you by email before it counts.
      </p>
    </LegalPage>
  )
}
