import { networks, platforms } from '@flashsheet/contracts/networks'
import { mediaLimits } from '@flashsheet/contracts/media/limits'
import { socialLimits } from '@flashsheet/contracts/social/limits'
import { subscriptionLimits } from '@flashsheet/contracts/subscription/limits'
import { Plus } from 'lucide-react'
import landing from './landing-screen.module.css'
import { classes } from '../../ui/classes.ts'
import layout from '../../ui/layout.module.css'
import styles from './faqs.module.css'

const faqs: { question: string; answer: string }[] = [
  {
    question: 'Which accounts can I connect?',
    answer: `Up to ${socialLimits.accounts} accounts: ${new Intl.ListFormat('en').format(platforms.map((platform) => `on ${networks[platform].name} ${networks[platform].account}`))}.`,
  },
  {
    question: 'Do my pictures and videos lose quality?',
    answer:
      'Videos are stored and sent as you uploaded them, byte for byte wherever the network takes the file. Pictures are fitted to what each network accepts.',
  },
  {
    question: 'How big may a file be?',
    answer: `Pictures are JPG or PNG up to 20 MB, and a post takes up to ${mediaLimits.imagesPerPost} of them. A video is MP4 or MOV, up to 300 MB and three minutes.`,
  },
  {
    question: 'What happens when a post fails?',
    answer:
      'Every page has its own state. If a network is out of reach we try again by ourselves; if only you can fix it, we say what to do.',
  },
  {
    question: 'Can a post go out twice?',
    answer:
      'No. Whatever was pressed or broke off, each page gets it once: when a network gives no clear answer, we ask it what became of the post before anything is sent again.',
  },
  {
    question: 'Do my clients need an account to book?',
    answer:
      'No. They choose a free time on your website and leave an email address or a phone number. Nothing is booked until you accept.',
  },
  {
    question: 'Is there a free trial?',
    answer: `No. But if Flashsheet is not for you, you can have your first payment back within ${subscriptionLimits.refundWindowDays} days.`,
  },
  {
    question: 'Can I cancel at any time?',
    answer: `Yes. Your plan runs to the end of the month you paid for. We keep your data for ${subscriptionLimits.dataKeptDays} days after that, in case you come back.`,
  },
  {
    question: 'Who may sign up?',
    answer: 'Anyone aged 18 or over.',
  },
]

export function Faqs() {
  return (
    <section id="faqs" className={landing['split']} aria-labelledby="faqs-title">
      <h2 id="faqs-title" className={landing['heading']}>
        Frequently asked questions
      </h2>
      <div className={styles['list']}>
        {faqs.map(({ question, answer }) => (
          <details key={question} className={styles['faq']}>
            <summary className={classes(layout['summary'], styles['question'])}>
              {question}
              <Plus />
            </summary>
            <p className={styles['answer']}>{answer}</p>
          </details>
        ))}
      </div>
    </section>
  )
}
