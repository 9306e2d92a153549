import { subscriptionLimits } from '@flashsheet/contracts/plain'
import { LegalPage } from './legal-page.tsx'

/** /privacy-policy: what is kept, why, and for how long. */
export function PrivacyPolicy() {
  return (
    <LegalPage title="Privacy Policy" lead="What we keep about you, what for, and how long.">
      <h2>What we keep</h2>
      <ul>
        <li>Your name, your email address and a scrambled form of your password that cannot be turned back.</li>
        <li>The pictures and videos you upload, your captions, and where and when they are to appear.</li>
        <li>For each account you connect: its name, its pages, and the keys the network gives us. The keys are stored encrypted.</li>
        <li>Your plan and its payments. Card numbers stay with our payment provider; we never see them.</li>
      </ul>
      <h2>What for</h2>
      <p>To do what you ask: publish your posts, keep your library and your plan. We do not sell data, and we show no advertisements.</p>
      <h2>Who else gets it</h2>
      <p>
        The networks you connect get the posts you send there. Our payment provider gets what it needs to charge your card. Nobody else gets anything, unless the law obliges us.
      </p>
      <h2>How long</h2>
      <p>
        As long as you have an account, and {subscriptionLimits.dataKeptDays} days after your subscription ended. Disconnecting an account deletes its keys at once, together with the posts still scheduled for it.
      </p>
      <h2>Cookies</h2>
      <p>One cookie keeps you signed in. There are no others, and nobody follows you from here to elsewhere.</p>
    </LegalPage>
  )
}
