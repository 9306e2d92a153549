import type { System } from '../../core/context.ts'
import { repeats, type JobHandler } from '../../core/jobs.ts'
import { sweepAppointments } from './service/sweep.ts'

const sweepEveryMs = 30_000

export const appointmentJobs: readonly JobHandler<System>[] = [
  repeats(sweepEveryMs, 'appointments.sweep', sweepAppointments),
]
