import { createFileRoute } from '@tanstack/react-router'
import { Live } from '../../features/shell/live.tsx'
import { titled } from '../../features/parts/titled.ts'
import { CancelScreen } from '../../features/subscription/cancel-screen.tsx'

export const Route = createFileRoute('/_public/subscription/cancel')({
  ...titled('Subscription'),
  component: () => (
    <Live>
      <CancelScreen />
    </Live>
  ),
})
