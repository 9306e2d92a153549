import { useState } from 'react'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { Dragging } from './calendar-drag.ts'
import { useDebouncedMoves } from './use-debounced-moves.ts'

type Entry = { id: string; at: number }

/** An entry at 0 that a drop moves to its minutes. Each save is answered by the test, which shows what was saved. */
async function opened() {
  const saves: { to: number; answer: PromiseWithResolvers<void>; undo: (() => void) | undefined }[] = []
  let dragging: Dragging | undefined
  function Entries() {
    const [at, setAt] = useState(0)
    const moves = useDebouncedMoves<Entry, number>({
      entries: [{ id: 'one', at }],
      isMovable: () => true,
      placeOf: (entry) => entry.at,
      isSame: (one, other) => one === other,
      droppedAt: (from, { minutes }) => minutes ?? from,
      nudgedAt: (from, { minutes }) => from + minutes,
      show: (_id, place) => setAt(place),
      save: async (_id, { to }, undo) => {
        const answer = Promise.withResolvers<void>()
        saves.push({ to, answer, undo })
        await answer.promise
        setAt(to)
      },
    })
    dragging = moves
    return <p>at {at}</p>
  }
  await render(<Entries />)
  const drop = (minutes: number) => dragging?.onMove('one', { day: '2039-11-21', minutes })
  return {
    drop,
    saved: () => saves.map(({ to }) => to),
    answer: (at: number) => saves[at]?.answer.resolve(),
    undo: (at: number) => saves[at]?.undo?.(),
    canUndo: (at: number) => saves[at]?.undo !== undefined,
  }
}

test('saves a move after the one before it, and shows the last one meanwhile', async () => {
  const { drop, saved, answer } = await opened()
  drop(30)
  await expect.poll(saved).toEqual([30])
  drop(60)
  await expect.element(page.getByText('at 60')).toBeVisible()
  drop(90)
  await expect.element(page.getByText('at 90')).toBeVisible()
  expect(saved()).toEqual([30])
  answer(0)
  await expect.poll(saved).toEqual([30, 90])
  await expect.element(page.getByText('at 90')).toBeVisible()
  answer(1)
  await expect.element(page.getByText('at 90')).toBeVisible()
})

test('saves a move after an undo before it, and an undo after a move before it', async () => {
  const { drop, saved, answer, undo, canUndo } = await opened()
  drop(30)
  await expect.poll(saved).toEqual([30])
  answer(0)
  await expect.element(page.getByText('at 30')).toBeVisible()
  undo(0)
  await expect.poll(saved).toEqual([30, 0])
  await expect.element(page.getByText('at 0')).toBeVisible()
  expect(canUndo(1)).toBe(false)
  drop(90)
  await expect.element(page.getByText('at 90')).toBeVisible()
  expect(saved()).toEqual([30, 0])
  answer(1)
  await expect.poll(saved).toEqual([30, 0, 90])
  undo(0)
  await expect.element(page.getByText('at 0')).toBeVisible()
  expect(saved()).toEqual([30, 0, 90])
  answer(2)
  await expect.poll(saved).toEqual([30, 0, 90, 0])
  answer(3)
  await expect.element(page.getByText('at 0')).toBeVisible()
})
