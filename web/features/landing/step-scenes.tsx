import type { Platform } from '@flashsheet/contracts/networks'
import { Check } from 'lucide-react'
import { Badge, type BadgeTone } from '../../ui/badge.tsx'
import tones from '../../ui/tone.module.css'
import { type MotifName } from '../parts/motif.tsx'
import { NetworkIcon } from '../social/network-icon.tsx'
import { Scene, SceneRow, SceneThumb } from './scene.tsx'
import styles from './step-scenes.module.css'

/** Step 1: the picked files are being uploaded. */
export function UploadScene() {
  return (
    <Scene label="Three files: a photo that is uploaded, a video of 212 MB that is 64 percent on its way, and one that waits for the connection">
      <SceneRow picture={<SceneThumb drawing="dagger" />} title="dagger-forearm.jpg" note="Uploaded" end={<Tick />} />
      <SceneRow
        picture={<SceneThumb drawing="moth" length="0:14" />}
        title="moth-slow-turn.mov"
        note={
          <>
            <svg className={styles['track']} viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
              <rect width="64" height="6" />
            </svg>
            64% of 212 MB
          </>
        }
      />
      <SceneRow
        picture={<SceneThumb drawing="snake" length="0:31" />}
        title="snake-wrap.mp4"
        note="Paused at 38% of 96 MB"
      />
    </Scene>
  )
}

/** Step 2: the selected pages. */
export function PagesScene() {
  return (
    <Scene label="Four pages to pick: an Instagram and a Facebook page are ticked; TikTok and YouTube take videos only">
      <PageRow platform="instagram" name="mara.quill" ticked />
      <PageRow platform="facebook" name="Quill & Needle" ticked />
      <PageRow platform="tiktok" name="maraquill" />
      <PageRow platform="youtube" name="Mara Quill Tattoo" />
    </Scene>
  )
}

function PageRow({ platform, name, ticked = false }: { platform: Platform; name: string; ticked?: boolean }) {
  return (
    <SceneRow
      quiet={!ticked}
      picture={
        <>
          <span className={styles['box']} data-ticked={ticked}>
            {ticked && <Check />}
          </span>
          <span className={styles['sign']}>
            <NetworkIcon platform={platform} />
          </span>
        </>
      }
      title={name}
      note={ticked ? undefined : 'Video only — disabled for image posts'}
    />
  )
}

type Entry = { tone: BadgeTone; word: string; drawing: MotifName; title: string; time: string }

const week: { letter: string; day: number; marks?: BadgeTone[] }[] = [
  { letter: 'S', day: 15 },
  { letter: 'M', day: 16, marks: ['posted'] },
  { letter: 'T', day: 17, marks: ['posted', 'posted'] },
  { letter: 'W', day: 18 },
  { letter: 'T', day: 19, marks: ['failed'] },
  { letter: 'F', day: 20, marks: ['scheduled', 'scheduled'] },
  { letter: 'S', day: 21, marks: ['scheduled'] },
]
const today = 20
const entries: Entry[] = [
  { tone: 'scheduled', word: 'Scheduled', drawing: 'heart', title: 'Heart with a banner', time: 'Fri, 6:30 PM' },
  { tone: 'scheduled', word: 'Scheduled', drawing: 'anchor', title: 'Anchor, two sessions', time: 'Fri, 9:00 PM' },
]

/** Step 3: a week of the calendar with scheduled posts. */
export function ScheduleScene() {
  return (
    <Scene label="A week of the calendar: three posts are out, one failed, three are scheduled, two of them for Friday evening">
      <div className={styles['week']}>
        {week.map(({ letter, day, marks = [] }) => (
          <div key={day} className={styles['day']} data-today={day === today}>
            <span className={styles['letter']}>{letter}</span>
            <span className={styles['date']}>{day}</span>
            <span className={styles['marks']}>
              {marks.map((tone, index) => (
                <i key={index} className={tones[tone]} />
              ))}
            </span>
          </div>
        ))}
      </div>
      {entries.map(({ tone, word, drawing, title, time }) => (
        <SceneRow
          key={title}
          picture={<SceneThumb drawing={drawing} />}
          title={title}
          note={time}
          end={<Badge tone={tone}>{word}</Badge>}
        />
      ))}
    </Scene>
  )
}

function Tick() {
  return <Check className={styles['tick']} />
}
