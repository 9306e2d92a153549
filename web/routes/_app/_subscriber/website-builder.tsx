import { createFileRoute } from '@tanstack/react-router'
import { routeTitle } from '../../../features/parts/route-head.ts'
import { WebsiteBuilderScreen } from '../../../features/website/website-builder-screen.tsx'

export const Route = createFileRoute('/_app/_subscriber/website-builder')({
  ...routeTitle('Website Builder'),
  component: WebsiteBuilderScreen,
})
