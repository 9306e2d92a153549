import { createFileRoute } from '@tanstack/react-router'
import { TermsOfService } from '../../features/legal/terms-of-service.tsx'
import { titled } from '../../features/shell/titled.ts'

export const Route = createFileRoute('/_public/terms-of-service')({ ...titled('Terms of Service'), component: TermsOfService })
