import type { Identity } from '../../context.ts'

export type Person = Identity & { email: string; givenName: string; familyName: string; emailVerified: boolean }

/**
 * The identities that can sign in with Google here. The third one's address is not verified, so it must not open an
 * account that has this address.
 */
export const people: readonly Person[] = [
  person('108204519377260481835', 'Mina', 'Hart', 'mina.hart@gmail.example', true),
  person('112984407716652093318', 'Joel', 'Okafor', 'joel.okafor@gmail.example', true),
  person('104473921088356614902', 'Sam', 'Unproven', 'sam.unproven@studio.example', false),
]

function person(id: string, givenName: string, familyName: string, email: string, emailVerified: boolean): Person {
  return { id, name: `${givenName} ${familyName}`, email, givenName, familyName, emailVerified, pages: [] }
}
