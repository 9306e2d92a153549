import { postLimits } from '@flashsheet/contracts/posts/limits'
import { postMessages } from '@flashsheet/contracts/posts/messages'
import type { Post, UpdatePostInput } from '@flashsheet/contracts/posts/schema'
import { expect, test } from 'vitest'
import { scheduledPost, scheduledVariant } from '../parts/post-fixture.ts'
import {
  beginEdit,
  changesOf,
  copyCaption,
  editRequest,
  hasTitle,
  isEditable,
  isEdited,
  isSaved,
  isTooLong,
  restoreChanges,
  storedChanges,
  timeProblem,
  withChanges,
} from './scheduled-edit.ts'

const variant = (patch: Partial<Post['variants'][number]>) => scheduledVariant({ message: 'Old words', ...patch })

const post = scheduledPost({
  _id: 'p1',
  variants: [variant({}), variant({ _id: 'youtube', platform: 'youtube', title: 'Film' })],
})
const before = Date.parse('2026-11-21T17:00:00.000Z')
const after = Date.parse('2026-11-21T19:00:00.000Z')

test('a scheduled post can be edited only before publishing has begun on any page', () => {
  expect(isEditable(post)).toBe(true)
  expect(isEditable({ ...post, status: 'posted' })).toBe(false)
  expect(isEditable({ ...post, variants: [variant({}), variant({ phase: 'claimed' })] })).toBe(false)
})

test('refuses a past time only if it was changed, and a missing time always', () => {
  const edit = beginEdit(post)
  expect(timeProblem(post, { ...edit, scheduledAt: null }, before)).toBe(postMessages.scheduleRequired)
  expect(timeProblem(post, { ...edit, scheduledAt: new Date(before) }, after)).toBe(postMessages.schedulePast)
  expect(timeProblem(post, { ...edit, scheduledAt: new Date(after) }, before)).toBeUndefined()
  expect(timeProblem(post, edit, after)).toBeUndefined()
})

test('a post that leaves the queue keeps its time, unless that has passed', () => {
  const edit = { ...beginEdit(post), leavesQueue: true }
  expect(timeProblem(post, edit, before)).toBeUndefined()
  expect(timeProblem(post, edit, after)).toBe(postMessages.schedulePast)
  expect(timeProblem(post, beginEdit(post), after)).toBeUndefined()
  expect(editRequest(post, edit)).toMatchObject({ postId: post._id, leavesQueue: true })
  expect(editRequest(post, edit)).not.toHaveProperty('scheduledAt')
  expect(editRequest(post, { ...edit, leavesQueue: false })).not.toHaveProperty('leavesQueue')
  expect(restoreChanges(storedChanges(changesOf(post, edit)))).toEqual({ leavesQueue: true, words: {} })
})

test('reports captions over the limits before they are sent', () => {
  const edit = beginEdit(post)
  expect(isTooLong(edit)).toBe(false)
  expect(
    isTooLong({ ...edit, words: { facebook: { title: '', caption: 'x'.repeat(postLimits.captionMax + 1) } } }),
  ).toBe(true)
  expect(isTooLong({ ...edit, words: { facebook: { title: 'x'.repeat(postLimits.titleMax + 1), caption: '' } } })).toBe(
    true,
  )
})

test('only what was edited is sent', () => {
  const edit = beginEdit(post)
  expect(editRequest(post, edit)).toEqual({ postId: 'p1', variants: [] })
  const words = { ...edit.words, youtube: { title: 'Film', caption: 'New words' } }
  const request = editRequest(post, { scheduledAt: new Date(after), words })
  expect(JSON.parse(JSON.stringify(request))).toEqual({
    postId: 'p1',
    scheduledAt: '2026-11-21T19:00:00.000Z',
    variants: [{ _id: 'youtube', message: 'New words' }],
  })
})

test('copies a caption to all pages, without a title to pages that have none', () => {
  expect(post.variants.map(hasTitle)).toEqual([false, true])
  const edit = beginEdit(post)
  const typed = { ...edit, words: { ...edit.words, youtube: { title: 'New film', caption: 'New words' } } }
  expect(copyCaption(post, typed, 'youtube').words).toEqual({
    facebook: { title: '', caption: 'New words' },
    youtube: { title: 'New film', caption: 'New words' },
  })
})

test('changes leave what was not edited to the post', () => {
  const edit = beginEdit(post)
  const elsewhere = { ...post, scheduledAt: '2026-11-21T20:00:00.000Z' }
  expect(withChanges(elsewhere, changesOf(post, edit))).toEqual(beginEdit(elsewhere))
  const words = { ...edit.words, youtube: { title: 'Film', caption: 'New words' } }
  const changes = changesOf(post, { ...edit, words })
  expect(changes).toEqual({ words: { youtube: { caption: 'New words' } } })
  expect(withChanges(elsewhere, changes)).toEqual({ ...beginEdit(elsewhere), words })
  const retitled = { ...post, variants: post.variants.map((one) => ({ ...one, title: 'New film' })) }
  expect(withChanges(retitled, changes).words['youtube']).toEqual({ title: 'New film', caption: 'New words' })
  expect(changesOf(post, { ...edit, scheduledAt: null })).toEqual({ scheduledAt: null, words: {} })
})

test.each<[string, Partial<UpdatePostInput>, boolean]>([
  ['another time', { scheduledAt: '2026-11-21T19:00:00.000Z' }, false],
  ['its time', { scheduledAt: post.scheduledAt }, true],
  ['a place outside the queue', { leavesQueue: true }, true],
  ['another caption', { variants: [{ _id: 'youtube', message: 'New words' }] }, false],
  ['the caption of another page', { variants: [{ _id: 'other', message: 'Words' }] }, false],
  ['its title', { variants: [{ _id: 'youtube', title: 'Film' }] }, true],
])('a post is compared with what was sent: %s', (_, sent, isStored) => {
  expect(isSaved({ postId: 'p1', ...sent }, post)).toBe(isStored)
})

test('a post that waits in the queue has not left it', () => {
  expect(isSaved({ postId: 'p1', leavesQueue: true }, { ...post, queue: 'placed' })).toBe(false)
})

test('an edit that was undone holds nothing', () => {
  const edit = beginEdit(post)
  expect(isEdited(changesOf(post, edit))).toBe(false)
  expect(isEdited(changesOf(post, { ...edit, leavesQueue: true }))).toBe(true)
  expect(isEdited(changesOf(post, { ...edit, scheduledAt: null }))).toBe(true)
})

test('restores stored changes', () => {
  const changes = changesOf(post, { ...beginEdit(post), scheduledAt: new Date(after) })
  const kept = storedChanges(changes)
  expect(restoreChanges(JSON.parse(JSON.stringify(kept)))).toEqual(changes)
  expect(restoreChanges({ ...kept, scheduledAt: null }).scheduledAt).toBeNull()
  expect(restoreChanges(storedChanges({ words: {} }))).toEqual({ words: {} })
})
