import { createFileRoute } from '@tanstack/react-router'
import { PrivacyPolicy } from '../../features/legal/privacy-policy.tsx'
import { titled } from '../../features/shell/titled.ts'

export const Route = createFileRoute('/_public/privacy-policy')({ ...titled('Privacy Policy'), component: PrivacyPolicy })
