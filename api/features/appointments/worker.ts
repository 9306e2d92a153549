import type { System } from '../../core/context.ts'
import { repeatedTask, type JobHandler } from '../../core/jobs.ts'
import { sweepAppointments } from './service/sweep.ts'

const sweepEveryMs = 30_000

export const appointmentJobs: readonly JobHandler<System>[] = [
  repeatedTask(sweepEveryMs, 'appointments.sweep', sweepAppointments),
]
