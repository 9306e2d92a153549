import { focusOf } from '@flashsheet/contracts/media/rules'
import { expect, test } from 'vitest'
import { newDraft, type Draft, type SelectedMedia } from './draft.ts'
import { cropsFor, frameFor, setFraming } from './framing.ts'

const picture = (_id: string, width: number, height: number): SelectedMedia => ({
  _id,
  mediaId: _id,
  name: `${_id}.jpg`,
  type: 'image',
  preview: null,
  url: null,
  size: 1,
  isLocal: false,
  duration: null,
  dimensions: { width, height },
  encoding: null,
})
const withPictures = (...media: SelectedMedia[]): Draft => ({ ...newDraft('d'), media })

test('crops a portrait to the middle 4:5 for Instagram, and not for networks that take every shape', () => {
  const draft = withPictures(picture('a', 900, 1200))
  expect(cropsFor(draft, 'instagram')).toEqual([{ x: 0, y: 0.03125, width: 1, height: 0.9375 }])
  expect(cropsFor(draft, 'facebook')).toBeUndefined()
})

test('does not crop a picture that fits, or one that is set to Fit', () => {
  expect(cropsFor(withPictures(picture('a', 1000, 1000)), 'instagram')).toBeUndefined()
  const draft = setFraming(withPictures(picture('a', 900, 1200)), 'a', { isCropped: false })
  expect(cropsFor(draft, 'instagram')).toBeUndefined()
})

test('a focus from 0 to 1 moves the crop from one end to the other, and is computed again from the crop', () => {
  for (const focus of [0, 0.25, 1]) {
    const draft = setFraming(withPictures(picture('a', 900, 1200), picture('b', 3000, 1000)), 'a', { focus })
    const [first, second] = cropsFor(draft, 'instagram') ?? []
    expect(first && focusOf(first)).toBeCloseTo(focus)
    // All pictures of a carousel get the shape of the first.
    expect(second && (second.width * 3000) / (second.height * 1000)).toBeCloseTo(4 / 5)
  }
})

test('has no crop for a picture that was not measured', () => {
  const unknown = { ...picture('a', 1, 1), dimensions: null }
  expect(frameFor([unknown], unknown, 'instagram')).toBeUndefined()
})
