// One file of scripts for all that comes after the first pick: the browser asks once, while the artist picks.
export { ArrangeDialog } from './arrange-dialog.tsx'
export { ChoosePagesStep } from './choose-pages-step.tsx'
export { PickedOrder } from './picked-order.tsx'
export { ReadyStep } from './ready-step.tsx'
export { ScheduleDialog } from './schedule-dialog.tsx'
export { SentStep } from './sent-step.tsx'
export { WriteCaptionsStep } from './write-captions-step.tsx'
