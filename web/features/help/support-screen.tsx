import { PageTitle } from '../parts/page-title.tsx'
import { ContactForm } from './contact-form.tsx'
import { HelpAnswers } from './help-answers.tsx'
import { classes } from '../../ui/classes.ts'
import text from '../../ui/text.module.css'
import styles from './support-screen.module.css'

/** /support: the answers, for visitors without a session. */
export function SupportScreen() {
  return (
    <div className={styles['page']}>
      <PageTitle className={styles['title']}>Support</PageTitle>
      <HelpAnswers />
      <section className={styles['contact']} aria-labelledby="support-contact">
        <h2 id="support-contact" className={text['title']}>
          Write to us
        </h2>
        <ContactForm />
      </section>
    </div>
  )
}

/** /contact: only the form. */
export function ContactScreen() {
  return (
    <div className={styles['page']}>
      <PageTitle className={styles['title']}>Contact</PageTitle>
      <p className={classes(text['lead'], text['muted'])}>
        Something broken, missing or unclear? Write to us; a person answers.
      </p>
      <ContactForm />
    </div>
  )
}
