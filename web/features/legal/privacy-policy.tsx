import { graceDays } from '@flashsheet/contracts/auth/limits'
import { type Platform, platformNames, platforms } from '@flashsheet/contracts/networks'
import { socialLimits } from '@flashsheet/contracts/social/limits'
import { subscriptionLimits } from '@flashsheet/contracts/subscription/limits'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { LegalPage } from './legal-page.tsx'

const sentToMeta =
  'Meta Platforms. Pictures and videos are fetched from us by a link that ends after 24 hours, or sent.'

/** What each network gets of a post. */
const sentTo: Record<Platform, ReactNode> = {
  facebook: sentToMeta,
  instagram: sentToMeta,
  tiktok: 'videos, who may see them, and what you declare about advertising.',
  youtube: (
    <>
      videos, through YouTube API Services, under{' '}
      <a href="https://policies.google.com/privacy">Google’s privacy policy</a>. You can also take our access back in{' '}
      <a href="https://myaccount.google.com/permissions">your Google account</a>.
    </>
  ),
  linkedin: 'pictures and videos of the company pages you manage.',
}

/** /privacy-policy. Must be updated when other data is stored, shared or deleted. */
export function PrivacyPolicy() {
  const kept = subscriptionLimits.dataKeptDays
  return (
    <LegalPage
      title="Privacy Policy"
      lead="What we keep about you and your clients, what for, who else gets it, and how long."
      since="November 23, 2026"
    >
      <h2>What we keep about you</h2>
      <ul>
        <li>
          <strong>Your account</strong>: your name, your email address, your studio’s time zone, and a scrambled form of
          your password that cannot be turned back. If you continue with Google: the number Google knows you by.
        </li>
        <li>
          <strong>Where you are logged in</strong>: the kind of browser and device, when it began and when it was last
          used. You see the list in Settings and can end each of them.
        </li>
        <li>
          <strong>Your work</strong>: the pictures and videos you upload, your captions, and where and when they are to
          appear or appeared. Until you post it or put it on your website, nobody but you is shown what you upload; our
          staff see the names and sizes of files.
        </li>
        <li>
          <strong>Connected accounts</strong>: for each of up to {socialLimits.accounts}, its name, its pages, and the
          keys the network gives us. The keys are stored encrypted. We never learn your password there.
        </li>
        <li>
          <strong>Your website</strong>: what you enter for it. All of that is public while the website is.
        </li>
        <li>
          <strong>Your plan and payments</strong>: what you paid, when, and for what. Card numbers stay with our payment
          provider; we never see them.
        </li>
      </ul>
      <p>
        An internet or email address is counted, for at most a day, to stop whoever tries passwords or sends too much.
        We build no profile from it. What you write to us with a contact form reaches us as an email.
      </p>

      <h2>What we keep about an artist’s clients</h2>
      <p>
        Who asks for a booking leaves an email address or a phone number, and if they like a name and a note. This
        belongs to the artist who is asked; we keep it on their behalf, and use it only to tell both sides about that
        appointment: the request, the answer, changes, and one reminder before it. A client needs no account, and our
        emails to them hold nothing but the appointment, the artist, and a private link with which they can see, move or
        cancel it. That link ends 30 days after the appointment.
      </p>
      <p>
        Our staff see such bookings with the names, addresses and numbers covered. The artist can delete an appointment
        at any time, and with it what the client entered; a client asks the artist, or us, for it.
      </p>

      <h2>What for</h2>
      <p>
        To do what you ask: publish your posts, keep your library, your website, your bookings and your plan, and tell
        you what happened. We do not sell data, we show no advertisements, and nobody trains anything on your work.
      </p>

      <h2>Who else gets it</h2>
      <ul>
        <li>
          <strong>The networks you connect</strong>, and only those: the pictures or video of a post, its caption and
          title, and the choices you made for it. We ask them for your name there, your pages, what became of a post,
          and nothing about your followers or messages.
          <ul>
            {platforms.map((platform) => (
              <li key={platform}>
                {platformNames[platform]}: {sentTo[platform]}
              </li>
            ))}
          </ul>
        </li>
        <li>
          <strong>Stripe</strong>, our payment provider: your name, your email address and your plan. The card you enter
          there yourself.
        </li>
        <li>
          <strong>Google</strong>, when you type a studio’s address into the website builder: the letters of that
          address, sent by our server, without your name. When you continue with Google: that you do.
        </li>
        <li>
          <strong>Those who keep our servers, our files and our outgoing email</strong>, on our behalf and under our
          instructions.
        </li>
      </ul>
      <p>Nobody else gets anything, unless the law obliges us.</p>

      <h2>What visitors of an artist’s website leave</h2>
      <p>
        Nothing, until they book or write. Those pages set no cookie, load nothing from anybody else and count nobody.
        Pictures there have lost the place and the device they were taken with.
      </p>

      <h2>How long</h2>
      <ul>
        <li>
          <strong>While you have an account</strong>, all of it, unless you delete it yourself. Disconnecting an account
          deletes its keys at once, together with the posts still scheduled for it and what we know of former ones. What
          is published stays at the network.
        </li>
        <li>
          <strong>When your subscription ends</strong>, your data is kept for {kept} days, so that you can come back to
          everything as it was. For these days your website says how to reach you, and then that it is gone. After them
          we may delete what the plan held; until we do, it waits for you, and deleting the account removes it for
          certain.
        </li>
        <li>
          <strong>When you delete your account</strong>, payments end and every login ends at once. For {graceDays} days
          you can log in and keep the account after all. Then posts, pictures, videos, website, appointments with what
          clients entered, and connections are deleted for good, and the networks that offer a way to are told to forget
          our access.
        </li>
        <li>
          <strong>What stays</strong>: records of payments, as the law asks, without your name, and the record of what
          our staff did, without names. For a week also the numbers by which our servers and the networks know what was
          deleted. Copies in backups go with the backups they are in, as these are replaced by newer ones.
        </li>
        <li>
          <strong>Emails</strong> we sent are dropped after 30 days.
        </li>
      </ul>

      <h2>Cookies and what your browser stores</h2>
      <p>
        One cookie keeps you signed in. A second one says, for a year, that this browser has logged in to your account
        before, so that strangers who guess passwords cannot lock you out; a third one, for thirty days, that you
        registered here; and while you continue with Google another one lives for ten minutes.
      </p>
      <p>
        Your browser also stores your theme, your name, the plan you picked, how you last looked at a calendar, drafts
        you have not sent, and changes to your website or your queue you have not saved. When you are logged out, or a
        page has to be loaded again, while you are typing, it stores what you typed, but no password, until that form is
        shown again or the tab is closed. None of this leaves your browser by itself. There is nothing else, and nobody
        follows you from here to elsewhere.
      </p>

      <h2>Your rights</h2>
      <p>
        You can see and change what we keep, delete it, and ask for a copy or for anything else the law gives you:{' '}
        <Link to="/contact">write to us</Link>. Flashsheet is for people aged 18 or over; we keep nothing of anyone
        younger knowingly.
      </p>
    </LegalPage>
  )
}
