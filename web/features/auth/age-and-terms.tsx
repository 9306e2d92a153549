import { Link } from '@tanstack/react-router'

/**
 * The declaration of everyone who creates an account; continues a sentence. Chromium leaves a text node that is only a space out of the
 * name of a checkbox, so each text is one string with its spaces.
 */
export function AgeAndTerms() {
  return (
    <>
      {'at least 18 years old and agree to the '}
      <Link to="/terms-of-service" target="_blank">
        Terms of Service
      </Link>
      {' and the '}
      <Link to="/privacy-policy" target="_blank">
        Privacy Policy
      </Link>
      .
    </>
  )
}
