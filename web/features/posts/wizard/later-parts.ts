// One chunk for everything after step 1, loaded with one request while the artist picks.
export { ArrangeDialog } from './arrange-dialog.tsx'
export { ChoosePagesStep } from './choose-pages-step.tsx'
export { PickedOrder } from './picked-order.tsx'
export { ReadyStep } from './ready-step.tsx'
export { ScheduleDialog } from './schedule-dialog.tsx'
export { SentStep } from './sent-step.tsx'
export { WriteCaptionsStep } from './write-captions-step.tsx'
