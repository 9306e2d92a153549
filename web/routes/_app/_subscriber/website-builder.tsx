import { createFileRoute } from '@tanstack/react-router'
import { titled } from '../../../features/parts/titled.ts'
import { WebsiteBuilderScreen } from '../../../features/website/website-builder-screen.tsx'

export const Route = createFileRoute('/_app/_subscriber/website-builder')({
  ...titled('Website Builder'),
  component: WebsiteBuilderScreen,
})
