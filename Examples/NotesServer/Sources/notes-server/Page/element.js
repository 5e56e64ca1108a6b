// Makes elements. Texts become text nodes, so nothing that is in a note can become markup.

export const find = (id) => document.getElementById(id)

export function element(name, properties = {}, ...children) {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(properties)) {
    if (key in made) made[key] = value
    else made.setAttribute(key, value)
  }
  made.append(...children)
  return made
}

// The pieces of a text: those with an odd index are places of the search.
export function marked(className, pieces) {
  const nodes = pieces.map((piece, index) => index % 2 ? element('mark', {}, piece) : piece)
  return element('div', { className }, ...nodes)
}

// The colour of a tag, from its id.
export function setHue(made, id) {
  let hash = 7
  for (const character of id) hash = (hash * 31 + character.codePointAt(0)) % 9973
  made.style.setProperty('--hue', String(hash * 137 % 360))
  return made
}

export function tag(id, name, ...children) {
  return setHue(element('span', { className: 'tag' }, name, ...children), id)
}

const today = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })
const thisYear = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })
const before = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' })
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

export function shortDate(seconds) {
  const [date, now] = [new Date(seconds * 1000), new Date()]
  if (isNaN(date)) return ''
  const format = date.toDateString() === now.toDateString() ? today
    : date.getFullYear() === now.getFullYear() ? thisYear : before
  return format.format(date)
}

export function longDate(seconds, { hasTime }) {
  const date = new Date(seconds * 1000)
  return isNaN(date) ? '' : (hasTime ? moment : day).format(date)
}
