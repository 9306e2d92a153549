const maxLength = 255

/** A file name that is safe to store and display: no folders, no control characters, never empty. */
export function cleanFileName(raw: string | null | undefined): string {
  const last = (raw ?? '').split(/[/\\]/).at(-1) ?? ''
  const clean = last
    .toWellFormed()
    // oxlint-disable-next-line no-control-regex
    .replace(/[\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069]/g, '')
    .trim()
  if (clean === '' || clean === '.' || clean === '..') return 'Untitled'
  if (clean.length <= maxLength) return clean
  const dot = clean.lastIndexOf('.')
  const ending = dot > 0 && clean.length - dot <= 10 ? clean.slice(dot) : ''
  return (clean.slice(0, maxLength - ending.length) + ending).toWellFormed()
}
