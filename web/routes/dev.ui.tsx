import { createFileRoute } from '@tanstack/react-router'
import { lazy } from 'react'
import { NotFound } from '../features/shell/not-found.tsx'

// The production build contains neither the page nor its code.
const Workbench = import.meta.env.DEV ? lazy(() => import('../features/dev/workbench.tsx')) : NotFound

export const Route = createFileRoute('/dev/ui')({ component: Workbench })
