import { ButtonLink } from '../../ui/button-link.tsx'
import { Card } from '../../ui/card.tsx'

export function DevelopersCard() {
  return (
    <Card
      title="Developers"
      note="Keys for scripts and other programs that work with your account, and webhooks that tell your server what happens."
    >
      <ButtonLink to="/settings/developers">API keys and webhooks</ButtonLink>{' '}
      <ButtonLink to="/developers" variant="quiet">
        How to begin
      </ButtonLink>
    </Card>
  )
}
