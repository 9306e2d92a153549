import { Link } from '@tanstack/react-router'
import { ButtonLink } from '../../ui/button-link.tsx'
import { NoticePage } from '../parts/notice-page.tsx'

/** /subscription/cancel: shown to an artist who has left the checkout. */
export function CancelScreen() {
  return (
    <NoticePage
      motif="anchor"
      title="Checkout not completed"
      actions={
        <>
          <ButtonLink to="/subscription" variant="primary">
            Back to the plans
          </ButtonLink>
          <ButtonLink to="/new-post">New post</ButtonLink>
        </>
      }
    >
      <p>You left the checkout before paying. Nothing was charged, and nothing changed.</p>
      <p>
        Did something go wrong? Look at <Link to="/support">support</Link> or <Link to="/contact">contact us</Link>.
      </p>
    </NoticePage>
  )
}
