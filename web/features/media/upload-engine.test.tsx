import { expect, test, vi } from 'vitest'
import { openEngine } from './upload-engine.ts'

test('an upload that becomes silent, on a connection that was lost without a word, is tried again', async () => {
  const requests: XMLHttpRequest[] = []
  const send = vi.spyOn(XMLHttpRequest.prototype, 'send').mockImplementation(function (this: XMLHttpRequest) {
    requests.push(this)
  })
  const unused = vi.fn<() => void>()
  const engine = openEngine({ created: unused, done: unused, failed: unused })
  engine.send('silent', new File(['x'], 'silent.jpg', { type: 'image/jpeg' }))
  await expect.poll(() => requests.length).toBe(1)
  const [first] = requests
  const allowedMs = first!.timeout
  expect(allowedMs).toBeGreaterThan(60_000)
  await expect
    .poll(() => {
      first!.upload.dispatchEvent(new ProgressEvent('progress'))
      return first!.timeout
    })
    .toBeGreaterThan(allowedMs)
  first!.dispatchEvent(new ProgressEvent('timeout'))
  await expect.poll(() => requests.length).toBe(2)
  expect(unused).not.toHaveBeenCalled()
  engine.uppy.destroy()
  send.mockRestore()
})
