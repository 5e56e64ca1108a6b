// The keys of the page. Every button has one.

import { find } from './element.js'

// actions: an object of functions, by the names that are used here.
export function followKeys(actions) {
  const plain = {
    '/': actions.search, n: actions.add, j: actions.next, ArrowDown: actions.next, k: actions.previous,
    ArrowUp: actions.previous, Enter: actions.write, t: actions.tag, '[': actions.previousList, ']': actions.nextList,
    e: actions.archive, '#': actions.remove, Delete: actions.remove, u: actions.undo, U: actions.redo,
    d: actions.hold, c: actions.theme, '?': actions.help, Escape: actions.back,
  }
  addEventListener('keydown', (event) => {
    const { key, target } = event
    const dialog = document.querySelector('dialog[open]')
    let action
    if (dialog) {
      const button = dialog.id === 'conflict' ? dialog.querySelectorAll('.choices button')[['1', '2', '3'].indexOf(key)] : null
      if (button && !button.hidden) action = () => button.click()
    } else if (event.ctrlKey || event.metaKey) {
      const isRedo = key === 'y' || key === 'Z' || key === 'z' && event.shiftKey
      if (key === 's') action = actions.save
      // In a draft, the text field undoes typing by itself.
      else if ('yzZ'.includes(key) && !actions.isTypingDraft()) action = isRedo ? actions.redo : actions.undo
    } else if (event.altKey) {
      return
    } else if (target === find('search')) {
      if (['Enter', 'ArrowDown'].includes(key)) action = actions.firstFound
      if (key === 'Escape') action = actions.endSearch
    } else if (target === find('text') || target === find('tag')) {
      if (key === 'Escape') action = actions.list
    } else if (!(key === 'Enter' && target.matches('button, input'))) {
      action = plain[key]
    }
    if (!action) return
    event.preventDefault()
    action()
  })
}
