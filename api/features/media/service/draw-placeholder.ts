import sharp from 'sharp'

/** The longest side of a thumbnail. */
export const thumbnailSide = 480

/** Digits as strokes on a grid of 10 × 16, because a server may have no fonts. */
const strokes: Record<string, string> = {
  '0': 'M5 1C1 1 1 5 1 8s0 7 4 7 4-4 4-7-0-7-4-7z',
  '1': 'M2 4l3-3v14M2 15h6',
  '2': 'M1 4c0-4 8-4 8 0 0 3-8 7-8 11h8',
  '3': 'M1 3c2-3 8-2 8 1 0 2-2 3-4 3 2 0 4 1 4 4 0 4-6 5-8 2',
  '4': 'M7 15V1L1 10h8',
  '5': 'M9 1H2L1 7c3-2 8-1 8 3 0 5-6 6-8 3',
  '6': 'M8 1C3 3 1 7 1 10c0 7 8 6 8 1 0-5-6-5-8-1',
  '7': 'M1 1h8L4 15',
  '8': 'M5 7C1 7 1 1 5 1s4 6 0 6c-5 0-5 8 0 8s5-8 0-8z',
  '9': 'M9 6c-1 4-8 4-8-1s8-6 8 1c0 3-2 7-7 9',
  ':': 'M5 5v.5M5 11v.5',
}

/** m:ss, at least 0:01. */
function durationLabel(durationMs: number): string {
  const seconds = Math.max(1, Math.round(durationMs / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** The thumbnail of a video without a poster: its aspect ratio, a play icon, its duration. A WebP. */
export async function drawPlaceholder(video: { width: number; height: number; durationMs: number }): Promise<Buffer> {
  const scale = thumbnailSide / Math.max(video.width, video.height)
  // An extreme ratio would leave a strip of one pixel.
  const [width, height] = [
    Math.max(96, Math.round(video.width * scale)),
    Math.max(96, Math.round(video.height * scale)),
  ]
  const label = durationLabel(video.durationMs)
  const labelScale = 1.6
  const digits = label
    .split('')
    .map((sign, i) => `<path transform="translate(${i * 13} 0)" d="${strokes[sign] ?? ''}"/>`)
    .join('')
  const labelWidth = label.length * 13 * labelScale
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <rect width="100%" height="100%" fill="#221f1b"/>
    <circle cx="${width / 2}" cy="${height / 2}" r="30" fill="none" stroke="#f4efe6" stroke-width="3"/>
    <path d="M${width / 2 - 9} ${height / 2 - 14}l25 14-25 14z" fill="#f4efe6"/>
    <g transform="translate(${width - labelWidth - 8} ${height - 16 * labelScale - 12}) scale(${labelScale})" fill="none" stroke="#f4efe6" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">${digits}</g>
  </svg>`
  return await sharp(Buffer.from(svg)).webp({ quality: 80 }).toBuffer()
}
