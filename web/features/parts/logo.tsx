import styles from './logo.module.css'

/** A flash sheet with a nautical star, a classic tattoo motif. */
function LogoMark() {
  return (
    <svg className={styles['mark']} viewBox="0 0 32 32" aria-hidden="true">
      <path
        className={styles['sheet']}
        d="M5 1.5h16.5L28.5 8v21a1.5 1.5 0 0 1-1.5 1.5H5A1.5 1.5 0 0 1 3.5 29V3A1.5 1.5 0 0 1 5 1.5z"
      />
      <path
        className={styles['star']}
        d="M16 7L18.53 13.72L25.7 14.05L20.09 18.53L22 25.45L16 21.5L10 25.45L11.91 18.53L6.3 14.05L13.47 13.72Z"
      />
      <path
        className={styles['facets']}
        d="M16 17.2L16 7L18.53 13.72ZM16 17.2L25.7 14.05L20.09 18.53ZM16 17.2L22 25.45L16 21.5ZM16 17.2L10 25.45L11.91 18.53ZM16 17.2L6.3 14.05L13.47 13.72Z"
      />
    </svg>
  )
}

/** Mark and name. Its size follows the font size around it. */
export function Logo() {
  return (
    <span className={styles['logo']}>
      <LogoMark />
      <span className={styles['name']}>Flashsheet</span>
    </span>
  )
}
