// Shows gallery pictures enlarged in a dialog. Without this script a picture links to its file.
const links = [...document.querySelectorAll('a[data-words]')]
if (links.length > 0 && 'HTMLDialogElement' in window) {
  const dialog = document.createElement('dialog')
  dialog.className = 'large'
  dialog.setAttribute('aria-label', 'Picture')
  const image = document.createElement('img')
  const caption = document.createElement('p')
  caption.setAttribute('aria-live', 'polite')
  const createButton = (label, sign, onClick) => {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = label.split(' ')[0].toLowerCase()
    button.setAttribute('aria-label', label)
    button.textContent = sign
    button.addEventListener('click', onClick)
    return button
  }
  let current = 0
  const show = (index) => {
    current = (index + links.length) % links.length
    const small = links[current].querySelector('img')
    // The loaded thumbnail is the placeholder until the large picture has loaded.
    image.src = small.currentSrc || small.src
    image.alt = small.alt
    const { href, dataset } = links[current]
    caption.textContent = `${current + 1} of ${links.length}${dataset.words ? ` · ${dataset.words}` : ''}`
    const large = new Image()
    const requested = current
    large.addEventListener('load', () => {
      if (requested === current) image.src = large.src
    })
    large.src = href
  }
  dialog.append(
    image,
    caption,
    createButton('Back to the picture before', '‹', () => show(current - 1)),
    createButton('Next picture', '›', () => show(current + 1)),
    createButton('Close', '×', () => dialog.close()),
  )
  document.body.append(dialog)
  dialog.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowLeft') show(current - 1)
    if (event.key === 'ArrowRight') show(current + 1)
  })
  // On the picture, a tap closes the dialog, and a swipe shows another picture. The second press of a double click on a link does not close it.
  image.addEventListener('click', ({ detail }) => detail < 2 && dialog.close())
  // The browser cancels the pointer of a swipe, but not its touch. Two fingers zoom, and then one finger moves the view.
  let start = null
  dialog.addEventListener('touchstart', ({ target, touches }) => {
    start = target === image && touches.length === 1 && visualViewport.scale < 1.1 ? touches[0] : null
  })
  dialog.addEventListener('touchend', ({ changedTouches: [end] }) => {
    if (!start) return
    const [dx, dy] = [end.clientX - start.clientX, end.clientY - start.clientY]
    start = null
    if (Math.abs(dx) > 40 && Math.abs(dx) > Math.abs(dy)) show(current + (dx < 0 ? 1 : -1))
  })
  // While a picture is enlarged, Back of a phone or browser closes it instead of leaving the page.
  addEventListener('popstate', () => dialog.close())
  dialog.addEventListener('close', () => {
    if (history.state === 'enlarged') history.back()
    links[current].focus()
  })
  links.forEach((link, index) =>
    link.addEventListener('click', (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return
      event.preventDefault()
      show(index)
      history.pushState('enlarged', '')
      dialog.showModal()
    }),
  )
}
