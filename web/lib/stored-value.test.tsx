import { expect, test } from 'vitest'
import { memoryStorage } from './memory-storage-fixture.ts'
import { openStoredValue, storedValues } from './stored-value.ts'

const format = { parse: (stored: string | null) => stored ?? '', toText: (value: string) => value || null }
const valueOf = storedValues('stored-value-test', format)

test('a page that Back restores from the cache shows what other tabs have stored meanwhile', () => {
  const value = valueOf('mara')
  value.set('mine')
  localStorage.setItem('stored-value-test:mara', 'from the other tab')
  dispatchEvent(new PageTransitionEvent('pageshow', { persisted: false }))
  expect(value.get()).toBe('mine')
  dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  expect(value.get()).toBe('from the other tab')
})

test('a page that Back restores keeps what could not be stored', () => {
  const refuse = () => {
    throw new Error('full')
  }
  const value = openStoredValue('full', 'jonas', format, { ...memoryStorage({ 'full:jonas': 'old' }), setItem: refuse })
  value.followOtherTabs()
  value.set('not stored')
  dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  expect(value.get()).toBe('not stored')
})

test('a change in another tab is shown', () => {
  const value = valueOf('noor')
  const changes: string[][] = []
  value.subscribe((now, before) => changes.push([before, now]))
  dispatchEvent(new StorageEvent('storage', { key: 'stored-value-test:sam', newValue: 'not mine' }))
  dispatchEvent(new StorageEvent('storage', { key: 'stored-value-test:noor', newValue: 'mine' }))
  expect(changes).toEqual([['', 'mine']])
})
