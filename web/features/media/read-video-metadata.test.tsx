import { afterAll, expect, test, vi } from 'vitest'
import { drawPoster } from './read-video-metadata.ts'

afterAll(() => void vi.restoreAllMocks())

test('a video of which this browser plays only the sound has no poster', async () => {
  const black = new Blob(['black'])
  vi.spyOn(HTMLMediaElement.prototype, 'load').mockImplementation(function load(this: HTMLMediaElement) {
    queueMicrotask(() => this.dispatchEvent(new Event('loadeddata')))
  })
  vi.spyOn(HTMLMediaElement.prototype, 'currentTime', 'set').mockImplementation(function seek(this: HTMLMediaElement) {
    queueMicrotask(() => this.dispatchEvent(new Event('seeked')))
  })
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null)
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done) => done(black))
  const width = vi.spyOn(HTMLVideoElement.prototype, 'videoWidth', 'get')

  width.mockReturnValue(640)
  expect(await drawPoster('blob:shown', 6)).toBe(black)
  width.mockReturnValue(0)
  expect(await drawPoster('blob:only-heard', 6)).toBeNull()
})
