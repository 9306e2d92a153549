import { ButtonLink } from '../../ui/button-link.tsx'
import { NoticePage } from '../parts/notice-page.tsx'

export function NotFound() {
  return (
    <NoticePage
      motif="moth"
      title="Page not found"
      actions={
        <>
          <ButtonLink to="/" variant="primary">
            Go to the start page
          </ButtonLink>
          <ButtonLink to="/new-post">New Post</ButtonLink>
        </>
      }
    >
      <p>The link may be old or mistyped.</p>
    </NoticePage>
  )
}
