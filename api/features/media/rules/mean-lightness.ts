const linear = Array.from({ length: 256 }, (_, value) =>
  value <= 10 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
)
const gray = (luminance: number) =>
  255 * (luminance <= 0.0031308 ? luminance * 12.92 : 1.055 * luminance ** (1 / 2.4) - 0.055)

/**
 * The mean lightness of RGBA pixels in sRGB, weighted by opacity: 0 (black) to 255 (white). Null when every pixel is
 * transparent. Averages perceived grays, not luminances: half black and half white then contrasts with both.
 */
export function meanLightness(rgba: Uint8Array): number | null {
  const light = (at: number) => linear[rgba[at] ?? 0] ?? 0
  let sum = 0
  let opacity = 0
  for (let at = 0; at < rgba.length; at += 4) {
    const alpha = rgba[at + 3] ?? 0
    if (alpha === 0) continue
    sum += alpha * gray(0.2126 * light(at) + 0.7152 * light(at + 1) + 0.0722 * light(at + 2))
    opacity += alpha
  }
  return opacity === 0 ? null : Math.round(sum / opacity)
}
