import { createFileRoute } from '@tanstack/react-router'
import { PrivacyPolicy } from '../../features/legal/privacy-policy.tsx'
import { described } from '../../features/parts/route-head.ts'

export const Route = createFileRoute('/_public/privacy-policy')({
  ...described('Privacy Policy', 'What Flashsheet keeps about you, what for, and how long.'),
  component: PrivacyPolicy,
})
