import { studioPlan } from '@flashsheet/contracts/plans'
import { nameList, networks, platforms, videoOnlyPlatforms } from '@flashsheet/contracts/networks'
import { appointmentLimits } from '@flashsheet/contracts/appointments/limits'
import { graceDays } from '@flashsheet/contracts/auth/limits'
import { mediaLimits } from '@flashsheet/contracts/media/limits'
import { postLimits } from '@flashsheet/contracts/posts/limits'
import { socialLimits } from '@flashsheet/contracts/social/limits'
import { subscriptionLimits } from '@flashsheet/contracts/subscription/limits'
import { siteLimits } from '@flashsheet/contracts/website/limits'
import { connectTexts } from '../social/network-texts.ts'

/** The screens that have answers. */
export const helpScreens = [
  { id: 'new-post', title: 'New Post', to: '/new-post' },
  { id: 'scheduled-posts', title: 'Scheduled Posts', to: '/scheduled-posts' },
  { id: 'appointments', title: 'Appointments', to: '/appointments' },
  { id: 'media', title: 'Media', to: '/media' },
  { id: 'website-builder', title: 'Website Builder', to: '/website-builder' },
  { id: 'social-accounts', title: 'Social Accounts', to: '/social-accounts' },
  { id: 'subscription', title: 'Subscription', to: '/subscription' },
  { id: 'profile', title: 'Profile and login', to: '/profile' },
  { id: 'settings', title: 'Settings and notices', to: '/settings' },
] as const
type HelpScreen = (typeof helpScreens)[number]['id']

export type Answer = {
  /** The fragment of its URL: /help#post-failed. */
  id: string
  screen: HelpScreen
  question: string
  /** Paragraphs. */
  answer: string[]
  /** Other words that people search for. */
  also?: string
}

const platformsWithTitle = nameList(platforms.filter((platform) => networks[platform].title))

export const answers: readonly Answer[] = [
  {
    id: 'file-limits',
    screen: 'new-post',
    question: 'Which files can I post?',
    answer: [
      `Pictures are JPG or PNG, up to 20 MB each; a post takes up to ${mediaLimits.imagesPerPost} of them. A video is MP4 or MOV, up to 300 MB and three minutes, one to a post. Pictures and a video cannot go into one post.`,
      'GIF, HEIC and WebP are not taken. An iPhone sends JPG when you choose "Most Compatible" under Settings, Camera, Formats.',
    ],
    also: 'format size heic gif webp limit upload too large',
  },
  {
    id: 'video-only',
    screen: 'new-post',
    question: `Why are ${nameList(videoOnlyPlatforms)} greyed out?`,
    answer: [
      'They take videos only here. As soon as you choose a video instead of pictures, their pages can be picked.',
    ],
    also: 'disabled images photo video only',
  },
  {
    id: 'captions',
    screen: 'new-post',
    question: 'Can each page have its own caption?',
    answer: [
      `Yes. In step 3 switch from global to individual: every page starts with what you have written so far, and can then be changed. A caption holds ${postLimits.captionMax.toLocaleString('en-US')} characters, a title ${postLimits.titleMax}. In individual mode only ${platformsWithTitle} asks for a title, since only ${platformsWithTitle} shows one.`,
    ],
    also: 'text hashtag description different title',
  },
  {
    id: 'leave-the-wizard',
    screen: 'new-post',
    question: 'What if I leave before I have posted?',
    answer: [
      'Your choices, captions and times are kept in this browser window. A file starts uploading as soon as you pick it; if the connection drops, it continues where it stopped.',
    ],
    also: 'draft lost reload close connection resume',
  },
  {
    id: 'post-twice',
    screen: 'new-post',
    question: 'The connection broke while posting. Should I post again?',
    answer: [
      'Look at Scheduled Posts first. What you sent goes out once, however often the button was pressed or the page reloaded. If a network gave no clear answer, we ask it what became of the post before anything is sent again.',
    ],
    also: 'double duplicate twice stuck',
  },
  {
    id: 'tiktok-privacy',
    screen: 'new-post',
    question: 'Why does TikTok ask me so much?',
    answer: [
      'TikTok wants every creator to choose who may see a video, whether it advertises something, and to agree to its music terms, each time. We may not choose for you, so the wizard cannot go on without it.',
    ],
    also: 'privacy level consent music branded content',
  },
  {
    id: 'post-failed',
    screen: 'scheduled-posts',
    question: 'A post failed. What now?',
    answer: [
      'Open it from the bell, the email or the calendar: each page says its reason. When a network is out of reach we try again by ourselves, for a day. When only you can fix it, such as an account that has to be connected again, the reason says so.',
      'Pages that were posted stay posted. Each failed page can be tried again there, or all of them at once.',
    ],
    also: 'error red retry again reason',
  },
  {
    id: 'reschedule',
    screen: 'scheduled-posts',
    question: 'How do I move or change a scheduled post?',
    answer: [
      'Press it in the calendar, choose another time or change its words, and save; or drag it to another day or hour. That works until it is on its way. Posted and failed posts can be looked at, not changed.',
      'Below it you can also publish it now, make a new post of it, or delete it.',
    ],
    also: 'edit time date caption move drag publish now duplicate delete',
  },
  {
    id: 'time-of-posts',
    screen: 'scheduled-posts',
    question: 'In which time zone are the times?',
    answer: [
      'In the time zone of the device you use. If your studio keeps another one, the calendar says so. A post keeps its moment, wherever you travel.',
    ],
    also: 'clock hours travel timezone',
  },
  {
    id: 'where-posts-stand',
    screen: 'scheduled-posts',
    question: 'Why is a post on another day than I scheduled it for?',
    answer: [
      'A scheduled post is shown at its scheduled time. A posted or failed one is shown at the time when its result was known, which for a long video can be a little later.',
    ],
    also: 'calendar wrong day',
  },
  {
    id: 'how-clients-book',
    screen: 'appointments',
    question: 'How do clients book?',
    answer: [
      `On your website, with ${studioPlan.name}. They choose one of your free times and leave an email address or a phone number. The request holds the time and waits for you: confirm it or cancel it, and the client is told by email.`,
    ],
    also: 'booking request form customer',
  },
  {
    id: 'double-booking',
    screen: 'appointments',
    question: 'Can two clients get the same time?',
    answer: [
      'No. The database itself refuses a second appointment over another that is pending or confirmed. Whoever is later sees the next free times, and keeps what they typed.',
    ],
    also: 'overlap conflict double booking',
  },
  {
    id: 'booking-lengths',
    screen: 'appointments',
    question: 'How long is a booking?',
    answer: [
      '1 Hour is one slot. 1/2 Day is four hours and Full Day eight hours from the chosen slot. The last slot ends at 9 pm, and so does a longer booking that begins late.',
    ],
    also: 'half day full day slot duration',
  },
  {
    id: 'unanswered-requests',
    screen: 'appointments',
    question: 'What happens to a request I do not answer?',
    answer: [
      `After ${appointmentLimits.unansweredHours} hours it is cancelled by itself, the time is free again, and both of you are told.`,
    ],
    also: 'pending expire waiting',
  },
  {
    id: 'library-full',
    screen: 'media',
    question: 'My library is full. What can I do?',
    answer: [
      `A library holds ${mediaLimits.libraryItems} items. Select what you no longer need and delete it; posts that are out keep a small picture of it. What a scheduled post still needs cannot be deleted: the message names the posts.`,
    ],
    also: 'capacity 100 delete space',
  },
  {
    id: 'gallery',
    screen: 'media',
    question: 'What is the difference between All and Gallery?',
    answer: [
      'All is everything you uploaded, seen by you alone. Gallery is what you put on your website. Taking something out of the gallery does not delete it.',
    ],
    also: 'website show public tab',
  },
  {
    id: 'original-quality',
    screen: 'media',
    question: 'Do you change my files?',
    answer: [
      'The original stays as you sent it. A video is sent byte for byte; only where a network does not take a MOV is it wrapped as MP4, with the same pictures inside. Pictures are fitted to what each network accepts, and lose the place they were taken at.',
    ],
    also: 'quality compression gps exif metadata location',
  },
  {
    id: 'website-plan',
    screen: 'website-builder',
    question: 'Why can I not use the website builder?',
    answer: [
      `Website and bookings belong to ${studioPlan.name}. Change the plan under Subscription; the difference is priced to the day.`,
    ],
    also: 'upgrade plan locked',
  },
  {
    id: 'publish-website',
    screen: 'website-builder',
    question: 'How do I publish or hide my website?',
    answer: [
      'Saving with an address publishes it, at once. Switch it off in the builder and save, and visitors see that it is hidden; everything you entered stays.',
      `Choose another address and the old one leads to it, so links in your bio and on cards still work. For ${siteLimits.formerNameDays} days nobody else can take it.`,
    ],
    also: 'domain name address url online offline change rename',
  },
  {
    id: 'website-colors',
    screen: 'website-builder',
    question: 'Why does my website not use exactly my colours?',
    answer: [
      'Where text could not be read on the background you chose, it is made lighter or darker until it can. Your choice is kept as it is.',
    ],
    also: 'contrast branding background text',
  },
  {
    id: 'website-after-plan',
    screen: 'website-builder',
    question: 'What happens to my website when I cancel?',
    answer: [
      `While a payment is only overdue, nothing. When the plan has ended, visitors see a holding page, and the site and gallery stay stored for ${subscriptionLimits.dataKeptDays} days. With the plan back everything is as it was. Appointments that are made stay, and so do their reminders.`,
    ],
    also: 'downgrade holding page cancel',
  },
  {
    id: 'connect-requirements',
    screen: 'social-accounts',
    question: 'What do I need to connect an account?',
    answer: [
      platforms
        .map((platform) => `${networks[platform].name}: ${connectTexts[platform].requirements.join(', ')}.`)
        .join(' '),
      `You can connect up to ${socialLimits.accounts} accounts. One account may bring several pages; they count as one.`,
    ],
    also: 'business creator page admin channel requirement limit five',
  },
  {
    id: 'reconnect',
    screen: 'social-accounts',
    question: 'Why do I have to connect an account again?',
    answer: [
      'Networks let us in for a limited time, and end it when you change your password or take the permission back there. We renew it ahead wherever the network allows; where it does not, the bell tells you. Connect again, and what waited goes on.',
    ],
    also: 'token expired password permission reconnect',
  },
  {
    id: 'disconnect',
    screen: 'social-accounts',
    question: 'What happens when I disconnect an account?',
    answer: [
      'Posts scheduled for it are deleted, and information from former posts is removed here. What is published at the network stays there. It cannot be undone, but you can connect the account again at any time.',
    ],
    also: 'remove page delete account network',
  },
  {
    id: 'wrong-account',
    screen: 'social-accounts',
    question: 'The wrong account was connected.',
    answer: [
      'The network connects whoever is logged in there. Log out at the network, or open it in a private window with the right account, and connect once more.',
    ],
    also: 'another login switch',
  },
  {
    id: 'cancel-plan',
    screen: 'subscription',
    question: 'How do I cancel?',
    answer: [
      'Under Subscription, with two presses. The plan runs to the end of the month you paid for, and until then you can reactivate it.',
    ],
    also: 'end stop unsubscribe reactivate',
  },
  {
    id: 'refund',
    screen: 'subscription',
    question: 'Can I get a refund?',
    answer: [
      `Yes, the first payment, within ${subscriptionLimits.refundWindowDays} days: write to us below. There is no free trial.`,
    ],
    also: 'refund trial money',
  },
  {
    id: 'payment-failed',
    screen: 'subscription',
    question: 'My payment failed. What happens now?',
    answer: [
      'Nothing that you promised to others: scheduled posts go out, your website and bookings stay up. The screens of the app wait until you have paid; the button there leads to the card page. Only when the card provider has given up trying does the plan end.',
    ],
    also: 'past due card declined unpaid overdue',
  },
  {
    id: 'change-card',
    screen: 'subscription',
    question: 'Where do I change my card, and where are my invoices?',
    answer: [
      'Under Subscription. Your card, your invoices and changes of plan are handled by Stripe, our card provider; we never see the number of your card.',
    ],
    also: 'stripe invoice receipt portal payment method plan change upgrade',
  },
  {
    id: 'change-email',
    screen: 'profile',
    question: 'How do I change my email address?',
    answer: [
      'Under Edit Profile, with your password. We send a link to the new address; it takes effect once you have opened that link. Until then you log in with the old address, which also gets an email about the change.',
    ],
    also: 'address mail new confirm',
  },
  {
    id: 'forgot-password',
    screen: 'profile',
    question: 'I forgot my password.',
    answer: [
      'Choose "Forgot password?" where you log in. The link works once, for one hour, and logs out every device. The answer is the same for every address, so that nobody can find out who has an account.',
    ],
    also: 'reset login locked out',
  },
  {
    id: 'no-mail',
    screen: 'profile',
    question: 'The email does not arrive.',
    answer: [
      'Look in the spam folder, and wait five minutes. Then have it sent again, or to another address. At most ten emails an hour go to one address.',
    ],
    also: 'verification link spam resend',
  },
  {
    id: 'google-login',
    screen: 'profile',
    question: 'Can I log in with Google and with a password?',
    answer: [
      'Yes. Continue with Google opens the account with the same verified address. If you signed up with Google, Settings can mail you a link to choose a password. After that you can remove Google in Settings. A password reset and a new address remove it too, and continuing with Google links it again.',
    ],
    also: 'google sign in',
  },
  {
    id: 'which-mails',
    screen: 'settings',
    question: 'How do I get fewer emails?',
    answer: [
      'In Settings you can switch off the emails of each kind of notice. The bell goes on showing all of them. Emails about payments and the safety of your account are always sent.',
    ],
    also: 'notification unsubscribe bell email',
  },
  {
    id: 'other-devices',
    screen: 'settings',
    question: 'Somebody else may be using my account.',
    answer: [
      'In Settings see where you are logged in, and log out everywhere else: that works at once, open windows included. Then change your password there.',
    ],
    also: 'hacked stolen device session security logout',
  },
  {
    id: 'studio-zone',
    screen: 'settings',
    question: 'I moved my studio to another time zone.',
    answer: [
      'Choose the new zone in Settings. Opening hours, new bookings and the times of your queue follow it; appointments that are made and posts that are scheduled stay at their moment.',
    ],
    also: 'timezone travel guest spot',
  },
  {
    id: 'dark-mode',
    screen: 'settings',
    question: 'Is there a dark mode?',
    answer: [
      'Yes. Choose in Settings: like your device, always light or always dark. The choice applies to the device you make it on.',
    ],
    also: 'theme mode light night appearance',
  },
  {
    id: 'delete-account',
    screen: 'settings',
    question: 'How do I delete my account?',
    answer: [
      `In Settings, at the bottom, by typing your name. Payments end at once and scheduled posts are not published. For ${graceDays} days you can log in and keep the account; then posts, media, website, appointments and connections are deleted for good, and the networks are told.`,
      'Clients are not told: please let those who have an appointment know whether it holds.',
      'What is published at the networks stays there. Of your payments we keep the records the law asks for, without your name.',
    ],
    also: 'close remove gdpr privacy data erase',
  },
]
