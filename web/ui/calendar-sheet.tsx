import { ChevronLeft, ChevronRight } from 'lucide-react'
import {
  Button,
  Calendar,
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
  Heading,
} from 'react-aria-components'
import { classes } from './classes.ts'
import control from './control.module.css'
import styles from './calendar-sheet.module.css'

/** The month grid of the date pickers. */
export function CalendarSheet() {
  return (
    <Calendar className={styles['calendar'] ?? ''}>
      <header className={styles['head']}>
        <Button slot="previous" className={classes(control['icon'], styles['turn'])}>
          <ChevronLeft />
        </Button>
        <Heading className={styles['month'] ?? ''} />
        <Button slot="next" className={classes(control['icon'], styles['turn'])}>
          <ChevronRight />
        </Button>
      </header>
      <CalendarGrid className={styles['grid'] ?? ''} weekdayStyle="short">
        <CalendarGridHeader>
          {(day) => <CalendarHeaderCell className={styles['weekday'] ?? ''}>{day.slice(0, 2)}</CalendarHeaderCell>}
        </CalendarGridHeader>
        <CalendarGridBody>{(date) => <CalendarCell date={date} className={styles['day'] ?? ''} />}</CalendarGridBody>
      </CalendarGrid>
    </Calendar>
  )
}
