import { flash, flashBody } from './flash.ts'

/** The website of the demo artist; its texts and drawings were made for this project. */
export const demoSite = {
  domainName: 'mara-quill',
  shopName: 'Quill & Needle',
  email: 'hello@quillandneedle.example',
  phone: '(718) 555-0142',
  about: `I draw with one needle and a lot of patience. Black line, a little red, and room for your skin to do the rest.

Ten years ago I left a print shop in Hudson for a chair in Brooklyn, and I still think like a printer: few colours, good paper, nothing that will not age well. Most of what I make is flash, drawn by hand and tattooed once. If you have an idea of your own, bring it; we will redraw it together until it sits right.

The studio is on the second floor, quiet, with one chair. Come fed, come rested, and bring a friend if you like.`,
  address: { shopAddress: '214 Needle Street', city: 'Brooklyn', state: 'NY', zip: '11249' },
  design: { layout: 'flash', palette: 'night' },
  sections: {
    shown: ['flash', 'work', 'services', 'about', 'guestSpots', 'hours', 'questions', 'aftercare', 'book', 'contact'],
    services: [
      { name: 'Flash', price: 'from $160', note: 'As drawn, up to a hand’s width.' },
      { name: 'Your own idea', price: 'from $240', note: 'Drawn for you; the deposit comes off the last session.' },
      { name: 'Full day', price: '$1,100', note: 'Six hours at the needle, lunch between.' },
    ],
    questions: [
      { question: 'Can I bring a friend?', answer: 'One, gladly. There is a second chair and good coffee.' },
      { question: 'Is a flash piece done twice?', answer: 'Never. Once it is on skin the sheet comes off the wall.' },
    ],
    aftercare:
      'Leave the film on for a day, then wash with lukewarm water and mild soap, twice a day. A thin layer of balm, no sun, no pool for three weeks. If it looks angry, send a picture.',
    guestSpots: [],
  },
} as const

/** Drawings of the gallery that can be booked as they are. */
export const demoFlash: readonly { drawing: string; title: string; price: string; isTaken: boolean }[] = [
  { drawing: 'dagger', title: 'Ribbon dagger', price: '$220', isTaken: false },
  { drawing: 'moth', title: 'Moth, wings open', price: '$260', isTaken: false },
  { drawing: 'eye', title: 'Eye in its wreath', price: '$180', isTaken: true },
]

/** Alternative texts of the drawings. */
export const drawingAltTexts: Readonly<Record<string, string>> = {
  dagger: 'Flash drawing of a dagger wound with a ribbon, a red jewel in its hilt',
  peony: 'Flash drawing of an open peony with a red heart',
  moth: 'Flash drawing of a moth with spread wings and a small red mark on its back',
  swallow: 'Flash drawing of a swallow diving, with a red throat',
  eye: 'Flash drawing of an eye with a red iris in a wreath of rays',
  snake: 'Flash drawing of a winding snake with a red tongue',
}

const sheets: readonly [drawing: string, x: number, y: number, size: number, degrees: number][] = [
  ['snake', 40, 560, 470, 4],
  ['peony', 70, 60, 520, -4],
  ['swallow', 560, 40, 600, 2],
  ['eye', 600, 660, 480, -3],
  ['dagger', 1040, 520, 560, 5],
  ['moth', 1180, 60, 520, -3],
  ['peony', 1560, 600, 460, -5],
  ['snake', 1680, 70, 440, 6],
]

/** A wall of flash sheets, for the banner. */
export function bannerSvg(): string {
  const frames = sheets.map(([name, x, y, size, degrees]) => {
    const drawing = flash.find((one) => one.name === name)
    const half = size / 2
    return `<g transform="translate(${x} ${y}) rotate(${degrees} ${half} ${half})"><rect x="10" y="14" width="${size}" height="${size}" fill="#000" fill-opacity="0.45"/><svg width="${size}" height="${size}" viewBox="0 0 1000 1000">${drawing ? flashBody(drawing) : ''}</svg><circle cx="${half}" cy="22" r="9" fill="#b3261e"/></g>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="2080" height="1180" viewBox="0 0 2080 1180"><rect width="2080" height="1180" fill="#2a221c"/>${frames.join('')}</svg>`
}

/** The logo: a quill that is a needle, white on transparent. */
export function logoSvg(): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="200" viewBox="0 0 640 200"><g fill="none" stroke="#f4ecdd" stroke-width="7" stroke-linecap="round" stroke-linejoin="round"><path d="M20 180 L150 50"/><path d="M60 140 C50 80 100 20 180 14 C178 90 130 150 70 146"/><path d="M92 108 L108 60 M112 88 L136 42 M92 108 L140 100 M112 88 L160 70"/><path d="M20 180 L8 192" stroke="#de5140"/></g><g fill="none" stroke="#f4ecdd" stroke-width="9" stroke-linecap="round" stroke-linejoin="round"><circle cx="262" cy="98" r="44"/><path d="M284 124 L310 150"/><path d="M346 56 L346 108 Q346 142 380 142 Q414 142 414 108 L414 56"/><path d="M452 56 L452 142"/><path d="M490 56 L490 142 L536 142"/><path d="M566 56 L566 142 L612 142"/></g></svg>`
}

/** A portrait of the artist in flat colours. */
export function portraitSvg(): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="1500" viewBox="0 0 1200 1500"><rect width="1200" height="1500" fill="#f4ecdd"/><circle cx="600" cy="640" r="430" fill="#c8372d"/><path d="M150 1500 C180 1180 380 1090 520 1060 L520 900 L690 900 L690 1060 C840 1090 1030 1180 1060 1500 Z" fill="#1d1a17"/><path d="M520 900 L690 900 L690 1020 C650 1080 560 1080 520 1020 Z" fill="#d9b795"/><path d="M430 620 C430 420 780 420 780 620 C780 800 720 940 605 940 C490 940 430 800 430 620 Z" fill="#e8c9a8"/><path d="M400 700 C360 400 520 330 620 340 C760 340 860 430 812 700 C800 600 760 540 690 520 C600 560 480 540 440 590 C420 620 408 650 400 700 Z" fill="#1d1a17"/><circle cx="610" cy="290" r="105" fill="#1d1a17"/><g fill="none" stroke="#1d1a17" stroke-width="9" stroke-linecap="round"><path d="M500 650 Q530 632 560 650 M650 650 Q680 632 710 650 M606 660 L594 760 Q606 772 622 766 M560 830 Q606 858 652 830"/></g><g fill="none" stroke="#f4ecdd" stroke-width="7" stroke-linecap="round"><path d="M360 1300 C420 1240 470 1340 540 1290 M700 1250 C760 1200 840 1290 900 1230"/><circle cx="470" cy="1410" r="26"/><path d="M800 1380 L860 1440 M860 1380 L800 1440"/></g></svg>`
}
