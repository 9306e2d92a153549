import type { Appointment } from '@flashsheet/contracts/appointments/schema'
import { confirmSave, rereadOptions } from '../../lib/confirm-save.ts'
import { trpc, type RouterInputs } from '../../lib/trpc.ts'
import { editOf } from './appointment-entries.ts'

type Input = RouterInputs['appointments']['update']

/** Saves an appointment. Succeeds also if the answer is lost and the appointment is stored as it was sent. */
export function useUpdateAppointment(timeZone: string): (input: Input) => Promise<Appointment> {
  const utils = trpc.useUtils()
  return async (input) => {
    const { id, ...sent } = input
    return await confirmSave(
      utils.client.appointments.update.mutate(input),
      async () => await utils.appointments.get.fetch({ id }, rereadOptions),
      (appointment) => {
        const stored: Record<string, unknown> = editOf(appointment, timeZone)
        return Object.entries(sent).every(([field, value]) => stored[field] === value)
      },
    )
  }
}
