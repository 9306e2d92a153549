// Generates the small videos that tests upload: real H.264 with an AAC track, made once in Chromium and stored in
// packages/sandbox/fixtures. Run: CHROMIUM_PATH=/path/to/chrome node scripts/make-fixtures.ts
import * as fs from 'node:fs'
import * as path from 'node:path'
import { chromium } from 'playwright-core'
import type * as Mediabunny from 'mediabunny'

declare global {
  interface Window {
    Mediabunny: typeof Mediabunny
  }
}

type VideoProperties = {
  file: string
  width: number
  height: number
  seconds: number
  fps: number
  kind: 'mp4' | 'mov'
  hue: number
  words: string
}

const root = path.resolve(import.meta.dirname, '..')
const folder = path.join(root, 'packages/sandbox/fixtures')
const fixtures: VideoProperties[] = [
  {
    file: 'portrait-5s.mp4',
    width: 540,
    height: 960,
    seconds: 5,
    fps: 30,
    kind: 'mp4',
    hue: 8,
    words: 'fine line swallow',
  },
  {
    file: 'landscape-5s.mp4',
    width: 960,
    height: 540,
    seconds: 5,
    fps: 30,
    kind: 'mp4',
    hue: 205,
    words: 'healed blackwork',
  },
  {
    file: 'landscape-5s.mov',
    width: 960,
    height: 540,
    seconds: 5,
    fps: 30,
    kind: 'mov',
    hue: 150,
    words: 'stencil to skin',
  },
]

const executablePath = process.env['CHROMIUM_PATH']
if (!executablePath) throw new Error('Set CHROMIUM_PATH to a Chrome or Chromium that can encode H.264.')
const browser = await chromium.launch({
  executablePath,
  args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
})
try {
  const page = await browser.newPage()
  // WebCodecs exists in secure contexts only; a routed https address is one without a network.
  await page.route('https://fixtures.test/', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }),
  )
  await page.goto('https://fixtures.test/')
  await page.addScriptTag({ path: path.join(root, 'node_modules/mediabunny/dist/bundles/mediabunny.min.cjs') })
  for (const fixture of fixtures) {
    const base64 = await page.evaluate(record, fixture)
    const bytes = Buffer.from(base64, 'base64')
    fs.writeFileSync(path.join(folder, fixture.file), bytes)
    console.log(`${fixture.file}: ${bytes.length} bytes`)
  }
} finally {
  await browser.close()
}

/** Runs in the page: draws, encodes and muxes one video (moov first, no edit list) and returns it as base64. */
async function record(fixture: VideoProperties): Promise<string> {
  const {
    Output,
    BufferTarget,
    Mp4OutputFormat,
    MovOutputFormat,
    CanvasSource,
    EncodedAudioPacketSource,
    EncodedPacket,
  } = window.Mediabunny
  const canvas = document.createElement('canvas')
  canvas.width = fixture.width
  canvas.height = fixture.height
  const pen = canvas.getContext('2d')
  if (!pen) throw new Error('no canvas')
  const Format = fixture.kind === 'mov' ? MovOutputFormat : Mp4OutputFormat
  const target = new BufferTarget()
  const output = new Output({ format: new Format({ fastStart: 'in-memory' }), target })
  const video = new CanvasSource(canvas, {
    codec: 'avc',
    bitrate: 320_000,
    keyFrameInterval: 2,
    latencyMode: 'realtime',
  })
  // Chromium on Linux encodes no AAC: these nine bytes are one frame (1024 samples) of stereo silence.
  const audio = new EncodedAudioPacketSource('aac')
  const silence = Uint8Array.of(0x21, 0x00, 0x49, 0x90, 0x02, 0x19, 0x00, 0x23, 0x80)
  output.addVideoTrack(video, { frameRate: fixture.fps })
  output.addAudioTrack(audio)
  await output.start()

  const frames = fixture.seconds * fixture.fps
  for (let i = 0; i < frames; i++) {
    const t = i / frames
    pen.fillStyle = `hsl(${fixture.hue} 30% 14%)`
    pen.fillRect(0, 0, fixture.width, fixture.height)
    pen.lineWidth = 6
    pen.strokeStyle = `hsl(${fixture.hue} 70% 62%)`
    pen.beginPath()
    for (let s = 0; s <= 45 + 75 * t; s++) {
      const turn = s / 6
      const r = (s / 120) * Math.min(fixture.width, fixture.height) * 0.42
      pen.lineTo(fixture.width / 2 + Math.cos(turn) * r, fixture.height / 2 + Math.sin(turn) * r)
    }
    pen.stroke()
    // Moving grain as in real video: without it a video is smaller than LinkedIn's minimum (75 KB).
    pen.fillStyle = `hsl(${fixture.hue} 25% 24%)`
    for (let n = 0; n < 15; n++) {
      const at = (i * 15 + n) * 0.618_033_988_75
      pen.fillRect((at % 1) * fixture.width, ((at * 7.31) % 1) * fixture.height, 6, 6)
    }
    pen.fillStyle = '#f2ede6'
    pen.font = '600 34px sans-serif'
    pen.fillText(fixture.words, 32, fixture.height - 40)
    await video.add(i / fixture.fps, 1 / fixture.fps)
  }
  const config = {
    decoderConfig: {
      codec: 'mp4a.40.2',
      sampleRate: 48_000,
      numberOfChannels: 2,
      description: Uint8Array.of(0x11, 0x90),
    },
  }
  const packet = 1024 / 48_000
  for (let n = 0; (n + 1) * packet <= fixture.seconds; n++) {
    await audio.add(new EncodedPacket(silence, 'key', n * packet, packet), config)
  }
  await output.finalize()
  if (!target.buffer) throw new Error('nothing recorded')
  let text = ''
  for (const byte of new Uint8Array(target.buffer)) text += String.fromCharCode(byte)
  return btoa(text)
}
