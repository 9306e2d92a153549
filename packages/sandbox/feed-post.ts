import { html, raw } from 'hono/html'
import { accents, type Markup } from './page.ts'
import { initials } from './feed-files.ts'
import type { PageName } from './page-names.ts'
import type { Network, PublishedMedia, PublishedPost } from './context.ts'

export const networkNames: Record<Network, string> = {
  facebook: 'Facebook',
  instagram: 'Instagram',
  tiktok: 'TikTok',
  youtube: 'YouTube',
  linkedin: 'LinkedIn',
}

/** One published post in its network's layout: publisher, text and media in that network's order, address, time. */
export function card(post: PublishedPost, who: PageName): Markup {
  const text = html`${post.title && post.platform !== 'youtube' ? html`<p class="post-title">${post.title}</p>` : ''}${words(post.text)}`
  const media = gallery(post)
  const inside = {
    facebook: () => html`${text}${media}`,
    linkedin: () => html`${text}${media}`,
    instagram: () => html`${media}${words(post.text, who.username ?? who.name)}`,
    tiktok: () => html`${media}${text}`,
    youtube: () => html`${media}<p class="post-title">${post.title}</p>${words(post.text)}`,
  }[post.platform]
  return html`<article class="post ${post.platform}" id="${post.platform}-${post.id}" style="--accent: ${accents[post.platform]}" data-post="${post.id}">
    <div class="who">
      <span class="face" aria-hidden="true">${initials(who.name)}</span>
      <span class="grow"><b>${who.name}</b>${who.username ? html`<br /><span class="muted">@${who.username}</span>` : ''}</span>
      <span class="badge">${networkNames[post.platform]}</span>
    </div>
    ${inside()}
    <p class="foot">
      <a href="/wall/${post.platform}/${encodeURIComponent(post.id)}"><time datetime="${post.at}">${shownTime(post.at)}</time></a>
      <span class="address">${post.permalink}</span>
    </p>
  </article>`
}

/** The caption with its line breaks, tags and mentions marked. */
function words(text: string, lead = ''): Markup | '' {
  if (text === '') return ''
  const parts = text.split(/([#@][\p{L}\p{N}_.]+)/u)
  return html`<p class="words">${lead ? html`<b>${lead}</b> ` : ''}${parts.map((part, index) => (index % 2 === 1 ? html`<span class="tag">${part}</span>` : part))}</p>`
}

function gallery(post: PublishedPost): Markup | '' {
  if (post.media.length === 0) return ''
  const several = post.media.length > 1
  return html`<div class="media ${several ? 'several' : ''}" ${several ? raw('tabindex="0" role="group" aria-label="Media of this post"') : ''}>
    ${post.media.map((one, index) => medium(one, several ? `${index + 1} of ${post.media.length}` : 'of this post'))}
  </div>`
}

function medium(media: PublishedMedia, which: string): Markup {
  const source = `/wall/media/${media.sha256}`
  const shape = media.width > 0 && media.height > 0 ? html` style="aspect-ratio: ${media.width} / ${media.height}"` : ''
  if (media.type.startsWith('video/')) {
    return html`<video controls playsinline preload="metadata" src="${source}" aria-label="Video ${which}"${shape}></video>`
  }
  return html`<img loading="lazy" src="${source}" alt="Image ${which}"${shape} />`
}

function shownTime(at: string): string {
  return `${new Date(at).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })} UTC`
}

export const feedStyle = raw(`
.tabs { display: flex; flex-wrap: wrap; gap: 8px; margin: 16px 0; }
.tab { gap: 8px; }
.tab[aria-current] { border-color: var(--ink); box-shadow: inset 0 -3px 0 var(--ink); }
.nothing { padding: 32px 0; color: var(--muted); }
.wall { columns: 300px 3; column-gap: 16px; }
.wall.single { columns: 1; }
.post { break-inside: avoid; background: var(--card); border: 1px solid var(--line); border-radius: 12px; margin: 0 0 16px; overflow: hidden; }
.who { display: flex; gap: 10px; align-items: center; padding: 12px; line-height: 1.3; }
.face { width: 40px; height: 40px; flex: none; border-radius: 50%; display: grid; place-items: center; background: var(--accent); color: #fff; font-weight: 600; font-size: 15px; }
.linkedin .face { border-radius: 6px; }
.words, .post-title { margin: 8px 12px; white-space: pre-line; }
.post-title { font-weight: 600; }
.tag { color: color-mix(in srgb, var(--accent) 70%, var(--ink)); }
.media img, .media video { display: block; width: 100%; background: #000; object-fit: contain; max-height: 640px; }
.media.several { display: grid; grid-template-columns: 1fr 1fr; gap: 2px; }
.media.several > * { aspect-ratio: 1 !important; object-fit: cover; }
.instagram .media.several { display: flex; gap: 0; overflow-x: auto; scroll-snap-type: x mandatory; }
.instagram .media.several > * { flex: 0 0 100%; scroll-snap-align: start; }
.tiktok .media, .youtube .media { background: #000; }
.foot { display: grid; gap: 2px; margin: 10px 12px 12px; font-size: 13px; color: var(--muted); }
.address { font-size: 12px; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
`)
