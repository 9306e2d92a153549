import { createFileRoute } from '@tanstack/react-router'
import { TermsOfService } from '../../features/legal/terms-of-service.tsx'
import { described } from '../../features/parts/route-head.ts'

export const Route = createFileRoute('/_public/terms-of-service')({
  ...described(
    'Terms of Service',
    'The rules between you and Flashsheet: prices, refunds, cancelling, and whose work it is.',
  ),
  component: TermsOfService,
})
