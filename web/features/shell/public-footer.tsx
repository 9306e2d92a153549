import { Link } from '@tanstack/react-router'
import { Logo } from '../parts/logo.tsx'
import text from '../../ui/text.module.css'
import styles from './public-footer.module.css'

const firstYear = 2025
const thisYear = new Date().getFullYear()

export function PublicFooter() {
  return (
    <footer className={styles['footer']}>
      <div className={styles['row']}>
        <div className={styles['brand']}>
          <Logo />
          {/* A page that was prerendered in another year keeps that year. A mismatch would render the page anew. */}
          <p className={text['note']} suppressHydrationWarning>
            © {firstYear}
            {thisYear > firstYear && `–${thisYear}`} Flashsheet. All rights reserved.
          </p>
        </div>
        <nav aria-label="Footer" className={styles['links']}>
          <Link to="/privacy-policy" target="_blank">
            Privacy Policy
          </Link>
          <Link to="/terms-of-service" target="_blank">
            Terms of Service
          </Link>
          <Link to="/blog" target="_blank">
            Blog
          </Link>
          <Link to="/developers" target="_blank">
            Developers
          </Link>
        </nav>
      </div>
    </footer>
  )
}
