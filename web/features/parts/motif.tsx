import type { ReactNode } from 'react'
import styles from './motif.module.css'

const { paper, shade, ink, tube, core } = styles

const drawings = {
  star: (
    <>
      <path
        className={paper}
        d="M60 14L71.8 45.8L105.6 47.2L79.1 68.2L88.2 100.8L60 82L31.8 100.8L40.9 68.2L14.4 47.2L48.2 45.8Z"
      />
      <path
        className={ink}
        d="M60 62L60 14L71.8 45.8ZM60 62L105.6 47.2L79.1 68.2ZM60 62L88.2 100.8L60 82ZM60 62L31.8 100.8L40.9 68.2ZM60 62L14.4 47.2L48.2 45.8Z"
      />
    </>
  ),
  moth: (
    <>
      <path d="M57 42C55 29 46 21 37 20M63 42C65 29 74 21 83 20" />
      <path
        className={shade}
        d="M62 64C80 62 98 74 92 92C88 104 70 98 63 80ZM58 64C40 62 22 74 28 92C32 104 50 98 57 80Z"
      />
      <path
        className={paper}
        d="M62 50C74 26 100 20 111 29C114 48 96 68 63 68ZM58 50C46 26 20 20 9 29C6 48 24 68 57 68Z"
      />
      <path d="M70 57C80 44 92 37 101 36M50 57C40 44 28 37 19 36" />
      <circle className={ink} cx="86" cy="48" r="6" />
      <circle className={ink} cx="34" cy="48" r="6" />
      <circle className={paper} cx="79" cy="83" r="4" />
      <circle className={paper} cx="41" cy="83" r="4" />
      <ellipse className={paper} cx="60" cy="68" rx="7.5" ry="27" />
      <path d="M54 66H66M53.5 74H66.5M55 82H65" />
      <circle className={ink} cx="60" cy="45" r="6" />
    </>
  ),
  dagger: (
    <>
      <path className={paper} d="M51 44H69V86L60 110L51 86Z" />
      <path className={ink} d="M60 44H69V86L60 110Z" />
      <path className={shade} d="M33 34C40 40 80 40 87 34C92 36 91 45 85 46C74 50 46 50 35 46C29 45 28 36 33 34Z" />
      <path className={paper} d="M53 37L55 18H65L67 37Z" />
      <path d="M54.5 31L66 26M55 25L65.5 20" />
      <circle className={ink} cx="60" cy="13" r="6" />
    </>
  ),
  heart: (
    <>
      <path className={paper} d="M60 106C28 82 12 62 18 40C24 20 50 18 60 38C70 18 96 20 102 40C108 62 92 82 60 106Z" />
      <path className={shade} d="M60 106C92 82 108 62 102 40C98 28 86 22 76 25C92 34 90 66 60 106Z" />
      <path d="M28 44C28 37 33 32 39 32" />
      <path className={paper} d="M16 66L5 70L11 78L7 88L30 83Z" />
      <path className={paper} d="M104 58L116 54L111 65L118 73L96 76Z" />
      <path className={paper} d="M12 66C44 52 76 72 108 56L106 76C76 92 46 72 16 86Z" />
      <path d="M34 70C40 69 45 69 50 70M58 72C66 73 78 73 88 70" />
    </>
  ),
  snake: (
    <>
      <path className={tube} d="M30 104C14 84 98 92 92 70C86 50 28 66 32 44C35 28 58 22 74 32" />
      <path className={core} d="M30 104C14 84 98 92 92 70C86 50 28 66 32 44C35 28 58 22 74 32" />
      <path d="M36 87L40 97M50 86L51 96M64 85L64 95M77 81L80 90M84 66L94 62M70 58L70 67M56 57L55 66M42 54L36 60M33 46L25 43M38 34L33 26M50 28L48 19" />
      <path className={paper} d="M68 22C80 18 96 26 99 38C92 46 76 46 66 40C62 34 63 25 68 22Z" />
      <circle className={ink} cx="83" cy="30" r="3.5" />
      <path d="M99 38C104 40 106 43 108 48M103 41C107 40 110 40 114 42" />
    </>
  ),
  cherries: (
    <>
      <path d="M40 70C42 48 56 28 82 18M80 66C78 46 78 32 82 18" />
      <path className={shade} d="M82 18C66 6 46 12 36 28C54 36 72 34 82 18Z" />
      <path d="M42 27C54 26 66 24 76 20" />
      <circle className={ink} cx="38" cy="86" r="19" />
      <circle className={paper} cx="80" cy="82" r="19" />
      <path className={styles['glint']} d="M27 84C28 79 31 76 35 75" />
      <path d="M69 81C70 76 73 73 77 72" />
    </>
  ),
  anchor: (
    <>
      <circle className={paper} cx="60" cy="21" r="9" />
      <path className={paper} d="M55 30H65V88H55Z" />
      <path className={shade} d="M36 40H84A4 4 0 0 1 84 49H36A4 4 0 0 1 36 40Z" />
      <path
        className={paper}
        d="M60 110C40 106 24 94 22 74L12 82L18 58L38 72L30 73C33 86 44 95 56 97L60 92L64 97C76 95 87 86 90 73L82 72L102 58L108 82L98 74C96 94 80 106 60 110Z"
      />
      <path d="M51 22C36 26 84 58 66 66C48 74 46 58 54 56" />
    </>
  ),
  moon: (
    <>
      <path
        className={paper}
        d="M70 12C40 14 20 38 22 66C24 92 48 110 74 106C86 104 96 98 102 88C82 92 62 80 58 60C56 42 60 24 70 12Z"
      />
      <path className={shade} d="M34 84C44 100 60 108 74 106C86 104 96 98 102 88C80 94 54 92 34 84Z" />
      <path d="M34 56C38 53 43 54 45 58M30 68C36 70 38 74 34 78M36 88C42 90 48 89 50 86" />
      <path
        className={ink}
        d="M88 26L91 35L100 38L91 41L88 50L85 41L76 38L85 35ZM104 58L106 64L112 66L106 68L104 74L102 68L96 66L102 64Z"
      />
    </>
  ),
  horseshoe: (
    <>
      <path className={tube} d="M36 98C14 70 22 24 60 24C98 24 106 70 84 98" />
      <path className={core} d="M36 98C14 70 22 24 60 24C98 24 106 70 84 98" />
      <path className={paper} d="M26 92L44 104L38 112L22 102ZM94 92L76 104L82 112L98 102Z" />
      <g className={ink}>
        <circle cx="60" cy="24" r="2.5" />
        <circle cx="41" cy="30" r="2.5" />
        <circle cx="79" cy="30" r="2.5" />
        <circle cx="29" cy="47" r="2.5" />
        <circle cx="91" cy="47" r="2.5" />
        <circle cx="27" cy="67" r="2.5" />
        <circle cx="93" cy="67" r="2.5" />
      </g>
      <path className={ink} d="M60 52L64 62L74 62L66 69L69 79L60 73L51 79L54 69L46 62L56 62Z" />
    </>
  ),
  bolt: (
    <>
      <path className={paper} d="M68 8L26 66H54L42 112L94 48H64L82 8Z" />
      <path className={ink} d="M82 8L64 48H94L42 112L62 58H46L72 8Z" />
    </>
  ),
  candle: (
    <>
      <path className={paper} d="M44 52H76V98H44Z" />
      <path className={shade} d="M64 52H76V98H64Z" />
      <path
        className={paper}
        d="M42 50C42 42 78 42 78 50C80 56 74 56 74 64C74 70 68 70 68 63C68 57 60 58 60 66C60 78 52 78 52 66C52 56 42 58 42 50Z"
      />
      <path className={paper} d="M30 98H90C88 108 78 112 60 112C42 112 32 108 30 98Z" />
      <path d="M60 46V38" />
      <path className={ink} d="M60 8C70 20 72 28 68 34C65 40 55 40 52 34C48 28 52 20 60 8Z" />
      <path className={styles['glint']} d="M60 22C64 27 64 31 60 34" />
      <path d="M34 22L40 26M30 38H37M86 22L80 26M90 38H83" />
    </>
  ),
  eye: (
    <>
      <path className={paper} d="M8 62C30 34 90 34 112 62C90 90 30 90 8 62Z" />
      <circle className={shade} cx="60" cy="62" r="20" />
      <circle className={ink} cx="60" cy="62" r="10" />
      <path d="M60 18V30M38 22L42 33M82 22L78 33M20 32L27 41M100 32L93 41M32 88C26 94 26 102 32 106C38 102 38 94 32 88Z" />
      <path d="M20 66C30 80 46 84 60 84" />
    </>
  ),
} satisfies Record<string, ReactNode>

export type MotifName = keyof typeof drawings

/** A picture from the flash sheet: black line, a little shade. Decoration. */
export function Motif({ name }: { name: MotifName }) {
  return (
    <svg viewBox="0 0 120 120" className={styles['motif']} aria-hidden="true">
      {drawings[name]}
    </svg>
  )
}
