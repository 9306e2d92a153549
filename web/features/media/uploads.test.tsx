import { errorMessages } from '@flashsheet/contracts/errors/messages'
import { expect, onTestFinished, test, vi } from 'vitest'
import { rememberUser } from '../../lib/remembered-user.ts'
import { ada } from '../../test-fixture.tsx'
import { uploads } from './uploads.ts'

test('an upload that failed when the session ended goes on once its user has logged in again, and is removed for another', async () => {
  const requests: XMLHttpRequest[] = []
  const send = vi.spyOn(XMLHttpRequest.prototype, 'send').mockImplementation(function (this: XMLHttpRequest) {
    requests.push(this)
  })
  onTestFinished(() => {
    send.mockRestore()
    rememberUser(null)
  })
  const shown = () => [...uploads.get().values()].map(({ state, failure }) => [state, failure])
  const endSession = async () => {
    const [request] = requests.splice(0)
    const body = JSON.stringify({ message: errorMessages.unauthenticated, code: 'unauthenticated' })
    Object.defineProperties(request, { status: { value: 401 }, responseText: { value: body } })
    request!.dispatchEvent(new ProgressEvent('load'))
    await expect.poll(shown).toEqual([['failed', errorMessages.unauthenticated]])
    rememberUser(null)
  }
  rememberUser(ada)
  await uploads.add([new File(['x'], 'koi.jpg', { type: 'image/jpeg' })])
  await expect.poll(() => requests.length).toBe(1)
  await endSession()
  rememberUser(ada)
  expect(shown()).toEqual([['started', null]])
  await expect.poll(() => requests.length).toBe(1)
  await endSession()
  rememberUser({ ...ada, _id: 'another' })
  expect(shown()).toEqual([])
})
