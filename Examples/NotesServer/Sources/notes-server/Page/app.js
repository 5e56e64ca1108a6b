// The page: brings its parts together.

import { Connection } from './connection.js'
import { Editor } from './editor.js'
import { element, find, setHue } from './element.js'
import { showFile, showJournal } from './file.js'
import { followKeys } from './keys.js'
import { Timeline } from './timeline.js'

const connection = new Connection(received, stateChanged)
const perform = (command) => connection.do(command)
const run = (command) => perform(command).catch(complain)
const editor = new Editor(perform, complain)
const timeline = new Timeline(() => perform({ do: 'more' }), openNote)

let list = 'active'
let wanted = null // The note to open when its row arrives.
let isFirst = true

// MARK: Events

function received(name, payload) {
  switch (name) {
    case 'list': return listChanged(payload)
    case 'sidebar': return showSidebar(payload)
    case 'note': return editor.show(payload)
    case 'saved': return editor.saved(payload)
    case 'held': return editor.held(payload)
    case 'conflict': return editor.conflict(payload)
    case 'created': return created(payload.note)
    case 'status': return showStatus(payload)
    case 'file': return showFile(payload, editor.id)
    case 'journal': return showJournal(payload)
    case 'notice': return say(payload.text)
  }
}

function stateChanged(state) {
  document.body.dataset.connection = state
  if (state === 'open') {
    if (list !== 'active' || find('search').value) showList(list)
    return editor.connected()
  }
  showSaving('lost', state === 'refused'
    ? 'Open the address that the server printed when it started' : 'Not connected. Your text is kept here.')
}

function listChanged(change) {
  timeline.apply(change)
  openWanted()
  if (isFirst && !isNarrow()) {
    if (!timeline.selected) timeline.selectFirst()
    timeline.focus()
  }
  isFirst = false
  find('nothing').textContent = find('search').value ? 'No note has these words.' : 'No notes here. Press n for a new one.'
}

function openWanted() {
  if (!timeline.has(wanted)) return
  timeline.select(wanted)
  wanted = null
  editor.focus()
}

function created(id) {
  wanted = id
  if (find('search').value || list === 'archived' || list === 'untagged') {
    find('search').value = ''
    showList('active')
  } else {
    openWanted()
  }
}

function showStatus({ revision, durableRevision, isSaving, error, undo, redo }) {
  editor.durable(durableRevision)
  if (error) showSaving('failed', `Not saved: ${error}`)
  else if (revision > durableRevision || isSaving) showSaving('saving', 'Saving …')
  else showSaving('saved', 'Saved')
  find('revisions').textContent = `revision ${revision} · on the disk ${durableRevision}`
  for (const [id, name, word] of [['undo', undo, 'Undo'], ['redo', redo, 'Redo']]) {
    find(id).disabled = name === undefined
    find(id).title = name ? `${word} ${name}` : word
    find(id).ariaLabel = find(id).title
  }
}

function showSaving(state, text) {
  find('saving').dataset.state = state
  find('saving-text').textContent = text
}

function say(text) {
  find('notice').textContent = text
  clearTimeout(say.timer)
  say.timer = setTimeout(() => { find('notice').textContent = '' }, 8000)
}

function complain(error) { say(error.message) }

// MARK: Lists

function showSidebar({ tags, hasUntagged, hasArchived }) {
  const entries = [['active', 'All notes', '']]
  if (hasUntagged || list === 'untagged') entries.push(['untagged', 'Without a tag', ''])
  if (hasArchived || list === 'archived') entries.push(['archived', 'Archive', ''])
  const focused = document.activeElement?.dataset?.list
  const buttons = entries.map(([id, name]) => listButton(id, name, null))
  buttons.push(element('hr'), ...tags.map(({ id, name, count }) => listButton(`tag:${id}`, name, count)))
  find('lists').replaceChildren(...buttons)
  if (focused) buttons.find((button) => button.dataset.list === focused)?.focus()
  find('tag-names').replaceChildren(...tags.map(({ name }) => element('option', { value: name })))
}

function listButton(id, name, count) {
  const made = element('button', { className: count === null ? 'plain' : '', onclick: () => showList(id) },
    setHue(element('i', { ariaHidden: 'true' }), id.slice(4)), element('span', {}, name))
  if (count !== null) made.append(element('span', { className: 'count' }, count.toLocaleString()))
  made.dataset.list = id
  if (id === list) made.ariaCurrent = 'true'
  return made
}

function showList(id) {
  list = id
  let name = 'All notes'
  for (const button of find('lists').querySelectorAll('button')) {
    const isCurrent = button.dataset.list === id
    button.ariaCurrent = isCurrent ? 'true' : null
    if (isCurrent) name = button.querySelector('span').textContent
  }
  find('list-name').textContent = name
  return run({ do: 'list', list: id, search: find('search').value })
}

function nextList(step) {
  const buttons = [...find('lists').querySelectorAll('button')]
  const index = buttons.findIndex((button) => button.dataset.list === list) + step
  if (buttons[index]) buttons[index].click()
}

// MARK: Actions

function openNote(id) {
  document.body.dataset.pane = 'note'
  editor.open(id)
}

function showPane(pane) {
  document.body.dataset.pane = pane
  if (pane === 'list') timeline.focus()
}

function remove() {
  const id = timeline.selected
  if (!id || !timeline.has(id)) return
  const next = timeline.neighbour(id)
  run({ do: 'delete', note: id })
  if (next) timeline.select(next)
}

function archive() {
  const { note } = editor
  if (!note) return
  const next = timeline.neighbour(note.id)
  run({ do: 'archive', note: note.id, archived: !note.archived })
  if (next) timeline.select(next)
}

function nextTheme() {
  const isDark = getComputedStyle(document.documentElement).colorScheme === 'dark'
    || !document.documentElement.dataset.theme && matchMedia('(prefers-color-scheme: dark)').matches
  setTheme(isDark ? 'light' : 'dark')
}

function setTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme
  if (theme) localStorage.setItem('notes-theme', theme)
}

const isNarrow = () => matchMedia('(max-width: 760px)').matches
const add = () => run({ do: 'new', tag: list.startsWith('tag:') ? list.slice(4) : undefined })
const help = () => find('help').showModal()

followKeys({
  search: () => find('search').select(), firstFound: () => { timeline.focus(); timeline.selectFirst() },
  endSearch: () => {
    if (find('search').value) { find('search').value = ''; showList(list) } else timeline.focus()
  },
  add, next: () => { timeline.focus(); timeline.move(1) }, previous: () => { timeline.focus(); timeline.move(-1) },
  write: () => { if (timeline.selected) { showPane('note'); editor.focus() } },
  tag: () => { if (editor.note) find('tag').focus() },
  list: () => { if (isNarrow()) showPane('list'); else timeline.focus() },
  previousList: () => nextList(-1), nextList: () => nextList(1), archive, remove,
  undo: () => run({ do: 'undo' }), redo: () => run({ do: 'redo' }),
  hold: () => find('held').click(), save: () => editor.commit(), theme: nextTheme, help, back: () => showPane('list'),
  isTypingDraft: () => document.activeElement === find('text') && editor.isHeld && editor.isDirty,
})

find('search').addEventListener('input', () => showList(list))
find('undo').onclick = () => run({ do: 'undo' })
find('redo').onclick = () => run({ do: 'redo' })
find('theme').onclick = nextTheme
find('keys').onclick = help
find('new').onclick = add
find('archive').onclick = archive
find('delete').onclick = remove
find('back').onclick = () => showPane('list')
setTheme(localStorage.getItem('notes-theme'))
connection.run()
