import { characters } from '@flashsheet/contracts/characters'

const first = (word: string): string => characters.segment(word).containing(0)?.segment ?? ''

/** `C••• R•••`: a client's name as staff see it. */
export function maskedName(name: string): string {
  return name
    .trim()
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => `${first(word)}•••`)
    .join(' ')
}

/** `c•••@e•••.com`: enough to distinguish two, too little to write to. */
export function maskedEmail(email: string): string {
  const [local = '', host = ''] = email.split('@')
  if (host === '') return email === '' ? '' : '•••'
  const ending = host.includes('.') ? host.slice(host.lastIndexOf('.')) : ''
  return `${first(local)}•••@${first(host)}•••${ending}`
}

/** The last two digits: `•••34`. */
export function maskedPhone(phone: string): string {
  const digits = phone.replaceAll(/\D/g, '')
  return digits === '' ? '' : `•••${digits.slice(-2)}`
}
