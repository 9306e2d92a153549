// Shows a gallery picture large in a dialog. Without this script a picture is a link to itself.
const links = [...document.querySelectorAll('a[data-words]')]
if (links.length > 0 && 'HTMLDialogElement' in window) {
  const dialog = document.createElement('dialog')
  dialog.className = 'large'
  dialog.setAttribute('aria-label', 'Picture')
  const image = document.createElement('img')
  const words = document.createElement('p')
  words.setAttribute('aria-live', 'polite')
  const button = (name, sign, act) => {
    const made = document.createElement('button')
    made.type = 'button'
    made.className = name.split(' ')[0].toLowerCase()
    made.setAttribute('aria-label', name)
    made.textContent = sign
    made.addEventListener('click', act)
    return made
  }
  let at = 0
  const show = (index) => {
    at = (index + links.length) % links.length
    const small = links[at].querySelector('img')
    // The loaded thumbnail is the placeholder until the large picture has loaded.
    image.src = small.currentSrc || small.src
    image.alt = small.alt
    words.textContent = `${at + 1} of ${links.length}${links[at].dataset.words ? ` · ${links[at].dataset.words}` : ''}`
    const large = new Image()
    const wanted = at
    large.addEventListener('load', () => {
      if (wanted === at) image.src = large.src
    })
    large.src = links[at].href
  }
  dialog.append(
    image,
    words,
    button('Back to the picture before', '‹', () => show(at - 1)),
    button('Next picture', '›', () => show(at + 1)),
    button('Close', '×', () => dialog.close()),
  )
  document.body.append(dialog)
  dialog.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowLeft') show(at - 1)
    if (event.key === 'ArrowRight') show(at + 1)
  })
  // A tap outside the buttons closes; a swipe shows the next picture.
  let from = null
  dialog.addEventListener('pointerdown', (event) => {
    from = event.target === image ? event : null
  })
  dialog.addEventListener('pointerup', (event) => {
    if (!from) return
    const [across, down] = [event.clientX - from.clientX, event.clientY - from.clientY]
    from = null
    if (Math.abs(across) > 40 && Math.abs(across) > Math.abs(down)) show(at + (across < 0 ? 1 : -1))
    else if (Math.abs(across) < 10 && Math.abs(down) < 10) dialog.close()
  })
  dialog.addEventListener('close', () => links[at].focus())
  links.forEach((link, index) =>
    link.addEventListener('click', (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return
      event.preventDefault()
      show(index)
      dialog.showModal()
    }),
  )
}
