/** A demo drawing: SVG paths in black and red on paper colour. Made for this project. */
type Drawing = { name: string; caption: string; lines: string; red: string }

const petal = (angle: number, length: number, width: number) =>
  `<path d="M500 500 C ${500 - width} ${500 - length * 0.4}, ${500 - width * 0.8} ${500 - length}, 500 ${500 - length} C ${500 + width * 0.8} ${500 - length}, ${500 + width} ${500 - length * 0.4}, 500 500 Z" fill="#f4ecdd" transform="rotate(${angle} 500 500)"/>`

const ring = (count: number, length: number, width: number, offset = 0) =>
  Array.from({ length: count }, (_, i) => petal(offset + (360 / count) * i, length, width)).join('')

export const flash: readonly Drawing[] = [
  {
    name: 'dagger',
    caption: 'Dagger, one needle, two hours. Palm sized.',
    red: '<path d="M440 300 L560 300 L560 330 L440 330 Z"/><circle cx="500" cy="180" r="26"/>',
    lines:
      '<path d="M470 330 L470 720 L500 840 L530 720 L530 330 Z"/><path d="M500 350 L500 790"/><path d="M360 300 Q500 260 640 300 Q655 315 640 330 Q500 300 360 330 Q345 315 360 300 Z"/><path d="M478 206 L478 288 M522 206 L522 288 M478 226 L522 240 M478 250 L522 264"/><circle cx="500" cy="180" r="34"/><path d="M340 560 C420 500 580 640 660 560 M340 600 C420 540 580 680 660 600"/>',
  },
  {
    name: 'peony',
    caption: 'Peony. Whip shading, no colour but the heart.',
    red: '',
    lines: `${ring(10, 330, 120)}${ring(8, 240, 90, 18)}${ring(6, 160, 64, 8)}<circle cx="500" cy="500" r="58" fill="#b3261e"/><path d="M470 490 q30 -40 60 0 M476 516 q24 30 48 0"/>`,
  },
  {
    name: 'moth',
    caption: 'Death’s-head moth for a sternum. Healed photos in the gallery.',
    red: '<path d="M486 430 L500 400 L514 430 L500 446 Z"/>',
    lines:
      '<path d="M500 360 C470 400 470 620 500 700 C530 620 530 400 500 360 Z"/><path d="M484 420 C380 250 200 220 140 300 C150 420 300 520 478 500"/><path d="M516 420 C620 250 800 220 860 300 C850 420 700 520 522 500"/><path d="M480 510 C360 520 270 600 290 700 C380 720 450 640 488 590"/><path d="M520 510 C640 520 730 600 710 700 C620 720 550 640 512 590"/><path d="M492 362 C470 300 440 270 400 262 M508 362 C530 300 560 270 600 262"/><circle cx="300" cy="350" r="34"/><circle cx="700" cy="350" r="34"/><path d="M200 330 C260 400 360 440 460 450 M800 330 C740 400 640 440 540 450"/><path d="M476 470 L524 470 M474 510 L526 510 M476 550 L524 550 M480 590 L520 590 M486 630 L514 630"/>',
  },
  {
    name: 'swallow',
    caption: 'Swallow, as it has been drawn for a hundred years.',
    red: '<path d="M600 418 C640 420 660 450 640 486 C610 490 588 460 600 418 Z"/>',
    lines:
      '<path d="M690 380 C640 340 560 360 520 420 C420 300 280 240 150 250 C230 310 300 380 350 470 C300 470 240 490 200 520 C290 530 370 540 430 530 C400 610 330 690 250 740 C360 740 470 690 540 600 C620 560 680 480 690 380 Z"/><path d="M690 380 L740 372 L700 404"/><circle cx="652" cy="390" r="9"/><path d="M520 420 C460 440 400 440 350 470 M300 330 C360 370 410 400 470 430 M240 290 C320 330 380 370 430 410"/><path d="M250 740 C300 700 340 660 370 610 M300 736 C360 700 400 660 430 610"/>',
  },
  {
    name: 'eye',
    caption: 'All-seeing eye. Dot work rays, solid line.',
    red: '<circle cx="500" cy="500" r="70"/>',
    lines: `<path d="M240 500 C340 370 660 370 760 500 C660 630 340 630 240 500 Z"/><circle cx="500" cy="500" r="104"/><circle cx="500" cy="500" r="70"/><circle cx="524" cy="476" r="18"/>${Array.from(
      { length: 24 },
      (_, i) => `<path d="M500 ${i % 2 ? 150 : 190} L500 ${i % 2 ? 290 : 280}" transform="rotate(${i * 15} 500 500)"/>`,
    ).join('')}`,
  },
  {
    name: 'snake',
    caption: 'Snake for a forearm. Wraps once and a half.',
    red: '<path d="M700 236 L742 216 L726 240 L748 256 Z"/>',
    lines:
      '<path d="M690 250 C640 190 540 210 560 290 C580 360 720 370 720 470 C720 570 560 560 500 600 C440 640 470 720 540 730 C630 742 690 700 760 740" stroke-width="46" stroke="#1d1a17"/><path d="M690 250 C640 190 540 210 560 290 C580 360 720 370 720 470 C720 570 560 560 500 600 C440 640 470 720 540 730 C630 742 690 700 760 740" stroke-width="30" stroke="#f4ecdd"/><path d="M690 250 C640 190 540 210 560 290 C580 360 720 370 720 470 C720 570 560 560 500 600 C440 640 470 720 540 730 C630 742 690 700 760 740" stroke-width="30" stroke="#1d1a17" stroke-dasharray="3 19"/><circle cx="668" cy="236" r="7" fill="#1d1a17"/><path d="M700 246 L738 226"/>',
  },
]

/** One drawing as an SVG of `size` × `size` units, ready for a rasteriser. */
export function flashSvg(drawing: Drawing, size: number): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 1000 1000">${flashBody(drawing)}</svg>`
}

/** Its inner elements. */
export function flashBody(drawing: Drawing): string {
  return `
  <rect width="1000" height="1000" fill="#f4ecdd"/>
  <rect x="48" y="48" width="904" height="904" fill="none" stroke="#d8c9ae" stroke-width="3"/>
  <g fill="#b3261e" fill-opacity="0.92">${drawing.red}</g>
  <g fill="none" stroke="#1d1a17" stroke-width="9" stroke-linecap="round" stroke-linejoin="round">${drawing.lines}</g>`
}
