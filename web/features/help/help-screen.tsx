import { useSessionUser } from '../../lib/session.ts'
import { Card } from '../../ui/card.tsx'
import { ContactForm } from './contact-form.tsx'
import { HelpAnswers } from './help-answers.tsx'
import styles from './help-screen.module.css'

export function HelpScreen() {
  const user = useSessionUser()
  return (
    <div className={styles['screen']}>
      <HelpAnswers />
      <div id="contact">
        <Card title="Write to us" note="No answer here? Tell us what you did and what happened.">
          {user && <ContactForm key={user._id} from={user} />}
        </Card>
      </div>
    </div>
  )
}
