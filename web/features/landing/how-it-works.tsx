import type { ReactNode } from 'react'
import styles from './how-it-works.module.css'
import landing from './landing-screen.module.css'
import { PagesScene, ScheduleScene, UploadScene } from './step-scenes.tsx'

const steps: { title: string; text: string; scene: ReactNode }[] = [
  {
    title: 'Upload your art',
    text: 'A photo, up to ten photos, or one video, straight from the camera roll. A large video goes on by itself after the studio Wi-Fi drops.',
    scene: <UploadScene />,
  },
  {
    title: 'Choose where to share',
    text: 'Tick the pages. One caption for all of them, or a caption of its own for each. What a network cannot take, you cannot tick.',
    scene: <PagesScene />,
  },
  {
    title: 'Post or schedule',
    text: 'Send it now and watch each page come through, or pick a day and an hour. If something fails, you are told which page and why.',
    scene: <ScheduleScene />,
  },
]

export function HowItWorks() {
  return (
    <section id="how-it-works" className={landing['section']} aria-labelledby="how-title">
      <h2 id="how-title" className={landing['heading']}>
        How It Works
      </h2>
      <ol className={styles['steps']}>
        {steps.map(({ title, text, scene }, index) => (
          <li key={title} className={styles['step']}>
            <span className={styles['number']} aria-hidden="true">
              {index + 1}
            </span>
            <h3 className={styles['title']}>{title}</h3>
            <p className={styles['text']}>{text}</p>
            <div className={styles['scene']}>{scene}</div>
          </li>
        ))}
      </ol>
    </section>
  )
}
