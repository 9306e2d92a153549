import { Appointment, ListAppointmentsInput } from '@flashsheet/contracts/appointments/schema'
import { z } from 'zod'
import { toolFor, type Tool } from '../../core/tools.ts'
import { pageOfAppointments } from './service/change.ts'

const readingTool = toolFor('studio', 'bookings:read', 'reads')

export const appointmentTools: readonly Tool[] = [
  readingTool({
    name: 'list_appointments',
    title: 'List appointments',
    description:
      'The artist’s appointments by their start, from `from` (inclusive) to `to` (exclusive), with names and contacts of clients. `nextCursor` leads to the next page.',
    input: ListAppointmentsInput.extend({ limit: ListAppointmentsInput.shape.limit.unwrap().default(50) }),
    answer: z.object({ appointments: z.array(Appointment), nextCursor: z.string().nullable() }),
    run: async (ctx, input) => {
      const { items, next } = await pageOfAppointments(ctx, input)
      return { appointments: items, nextCursor: next ?? null }
    },
  }),
]
