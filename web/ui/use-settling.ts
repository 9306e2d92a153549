import { useEffect, useState } from 'react'

/** Phones take two taps within 300 ms for a double tap. */
const doublePressMs = 350

/**
 * For the attribute `data-settling` of buttons that have just appeared or moved: for the time of a double click they take no pointer
 * (`base.css`), since a press may be the second of a double click on what was in their place. The keyboard is not affected.
 * `rows`: for a list, whose buttons move when its rows change: their number, or their ids in order.
 */
export function useSettling(rows: number | string = 0): true | undefined {
  const [settledRows, setSettledRows] = useState<number | string>()
  useEffect(() => {
    const timer = setTimeout(() => setSettledRows(rows), doublePressMs)
    return () => clearTimeout(timer)
  }, [rows])
  return settledRows === rows ? undefined : true
}

let pageTimer: ReturnType<typeof setTimeout> | undefined

function settlePage(): void {
  const { dataset } = document.documentElement
  dataset['settling'] = ''
  clearTimeout(pageTimer)
  pageTimer = setTimeout(() => delete dataset['settling'], doublePressMs)
}

/**
 * What a dialog or drawer has covered takes no pointer for the time of a double click after that was closed: on a phone, its
 * buttons and those of the screen below it are in the same place.
 */
export function useSettlingPage(isCovered: boolean): void {
  useEffect(() => (isCovered ? settlePage : undefined), [isCovered])
}
