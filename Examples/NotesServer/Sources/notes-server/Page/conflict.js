// Asks which of two texts a note shall have, and makes one text of both.

import { element, find } from './element.js'

let last = Promise.resolve()

// The text to take: mine, or one made from both; null for theirs. Two notes may differ at once: one after the other.
export function resolve(mine, theirs) {
  last = last.then(() => ask(mine, theirs))
  return last
}

async function ask(mine, theirs) {
  const dialog = find('conflict')
  const isGone = theirs === undefined || theirs === null
  const parts = compare(theirs ?? '', mine)
  find('theirs').replaceChildren(...isGone ? ['The note was deleted.'] : shown(parts, parts.first))
  find('mine').replaceChildren(...shown(parts, parts.second))
  dialog.querySelector('[value=both]').hidden = isGone
  dialog.returnValue = ''
  while (!['mine', 'theirs', 'both'].includes(dialog.returnValue)) {
    dialog.showModal()
    dialog.querySelector(isGone ? '[value=mine]' : '[value=both]').focus()
    await new Promise((close) => dialog.addEventListener('close', close, { once: true }))
  }
  if (dialog.returnValue === 'theirs') return null
  if (dialog.returnValue === 'mine') return mine
  return [...parts.before, ...parts.first, ...parts.second, ...parts.after].join('\n')
}

// The lines that both texts begin and end with, and those in between.
function compare(first, second) {
  const [a, b] = [first.split('\n'), second.split('\n')]
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1
  let end = 0
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end += 1
  return {
    before: a.slice(0, start), after: a.slice(a.length - end),
    first: a.slice(start, a.length - end), second: b.slice(start, b.length - end),
  }
}

function shown({ before, after }, own) {
  const lines = [...before.map((line) => [line, '']), ...own.map((line) => [line, 'differs']),
    ...after.map((line) => [line, ''])]
  return lines.flatMap(([line, className]) => [element('span', { className }, line), '\n'])
}
