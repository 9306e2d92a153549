const reserved = new Set('\\|{}@[]()<>#*_~')
const hashtagTemplate = /^\{hashtag\|\\#\|([^{}|\\]+)\}/
const mention = /^@\[((?:\\.|[^\\\]])+)\]\(urn:li:(?:organization|person):[\w-]+\)/
const hashtag = /^#[\p{L}\p{N}]+/u

/**
 * Renders a commentary in LinkedIn's "little text": escaped characters unescaped, hashtags and mentions as words. An
 * unescaped reserved character truncates the text there, without an error (docs/networks/linkedin.md).
 */
export function shownText(commentary: string): string {
  let shown = ''
  let rest = commentary
  while (rest) {
    const first = rest[0] ?? ''
    const next = rest[1] ?? ''
    const tag = hashtagTemplate.exec(rest)
    const name = mention.exec(rest)
    const word = hashtag.exec(rest)
    if (first === '\\' && reserved.has(next)) {
      shown += next
      rest = rest.slice(2)
    } else if (tag) {
      shown += `#${tag[1]}`
      rest = rest.slice(tag[0].length)
    } else if (name) {
      shown += name[1]?.replace(/\\(.)/g, '$1') ?? ''
      rest = rest.slice(name[0].length)
    } else if (word) {
      shown += word[0]
      rest = rest.slice(word[0].length)
    } else if (reserved.has(first)) {
      return shown
    } else {
      shown += first
      rest = rest.slice(1)
    }
  }
  return shown
}
