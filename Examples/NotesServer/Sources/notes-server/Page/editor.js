// The text of the open note. Each change goes to the server at once, which commits it from a scratchpad. With “Draft”
// on, it stays in the scratchpad until one saves it.
//
// A text stays in the window's sessionStorage until it is durable: in the file, or in the journal beside it. So neither
// a crash of the server nor a reload of the page loses it.

import { element, find, longDate, tag } from './element.js'
import { resolve } from './conflict.js'

const key = (id) => `notes-draft-${id}`

export class Editor {
  #text = find('text')
  #do
  #complain
  // By id: the text from which a change began, the text now, and how far it has come.
  #drafts = new Map()
  #note = null
  #id = null

  constructor(perform, complain) {
    this.#do = perform
    this.#complain = complain
    this.#text.addEventListener('input', () => this.#changed())
    find('held').addEventListener('change', () => this.#heldChanged())
    find('commit').addEventListener('click', () => this.commit())
    find('discard').addEventListener('click', () => this.discard())
    find('tag').addEventListener('change', () => this.#addTag())
    addEventListener('beforeunload', (event) => { if (this.isHeld && this.isDirty) event.preventDefault() })
  }

  get id() { return this.#id }
  get note() { return this.#note }
  get isHeld() { return find('held').checked }
  get isDirty() { return this.#drafts.get(this.#id)?.isDirty ?? false }
  focus() {
    this.#text.focus()
    this.#text.setSelectionRange(this.#text.value.length, this.#text.value.length)
  }

  open(id) {
    this.#id = id
    this.#note = null
    // Until the note is here, the field has the text of another one.
    this.#text.readOnly = true
    for (const [other, draft] of this.#drafts) {
      if (other !== id && !draft.isDirty && draft.savedAt === undefined) this.#drafts.delete(other)
    }
    this.#do({ do: 'open', note: id }).catch(this.#complain)
  }

  // After a connection was made: what the server may have lost is sent again.
  connected() {
    for (const [id, draft] of this.#drafts) {
      draft.isSending = false
      if (draft.savedAt !== undefined) Object.assign(draft, { isDirty: true, base: draft.durable, savedAt: undefined })
      if (id !== this.#id) this.#send(id)
    }
    if (this.#id) this.open(this.#id)
  }

  // MARK: Events

  show(note) {
    if (note.id !== this.#id) return
    const isFirst = this.#note === null
    this.#note = note
    const exists = note.text !== undefined
    let draft = this.#drafts.get(note.id)
    if (!draft && exists) {
      draft = { base: note.text, durable: note.text, text: note.text, isDirty: false, isSending: false }
      const kept = JSON.parse(sessionStorage.getItem(key(note.id)) ?? 'null')
      if (kept && kept.text !== note.text) Object.assign(draft, kept, { durable: kept.base, isDirty: true })
      else sessionStorage.removeItem(key(note.id))
      this.#drafts.set(note.id, draft)
    }
    // A text of another window. An own one is already here.
    if (draft && !draft.isDirty && exists && draft.text !== note.text) {
      Object.assign(draft, { base: note.text, durable: note.text, text: note.text, savedAt: undefined })
    }
    find('gone').hidden = exists || (draft?.isDirty ?? false)
    if (!exists) find('gone').textContent = 'This note was deleted. Press u to undo.'
    this.#text.readOnly = false
    this.#text.disabled = !find('gone').hidden
    if (draft) this.#put(draft.text, isFirst)
    if (draft?.isDirty) this.#send(note.id)
    find('tags').replaceChildren(...note.tags.map(({ id, name }) => tag(id, name, element('button', {
      ariaLabel: `Remove the tag ${name}`, onclick: () => this.#run({ do: 'untag', note: note.id, tag: id }),
    }, '×'))))
    find('archive').title = note.archived ? 'Take back (e)' : 'Archive (e)'
    find('archive').ariaPressed = String(note.archived)
    find('dates').textContent = exists
      ? `Made ${longDate(note.created, { hasTime: false })} · changed ${longDate(note.modified, { hasTime: true })}` : ''
    this.#showDraft()
  }

  // The server has committed a text.
  saved({ note: id, text, revision }) {
    const draft = this.#drafts.get(id)
    if (!draft) return
    Object.assign(draft, { base: text, isSending: false, savedAt: revision })
    draft.isDirty = draft.text !== text
    if (draft.isDirty) this.#send(id, { isCommit: draft.wantsCommit })
    else if (draft.wantsCommit) this.#run({ do: 'save' })
    draft.wantsCommit = draft.isDirty && draft.wantsCommit
    this.#showDraft()
  }

  held({ note: id, text }) {
    const draft = this.#drafts.get(id)
    if (!draft) return
    draft.isSending = false
    if (draft.text !== text || !this.isHeld || draft.wantsCommit) this.#send(id, { isCommit: draft.wantsCommit })
    this.#showDraft()
  }

  // Everything up to a revision is durable.
  durable(revision) {
    for (const [id, draft] of this.#drafts) {
      if (!(draft.savedAt <= revision)) continue
      Object.assign(draft, { durable: draft.base, savedAt: undefined })
      if (draft.isDirty) this.#keep(id, draft)
      else {
        sessionStorage.removeItem(key(id))
        if (id !== this.#id) this.#drafts.delete(id)
      }
    }
  }

  // Another window has changed the same text.
  async conflict({ note: id, text, theirs }) {
    const draft = this.#drafts.get(id)
    if (!draft || draft.isAsking) return
    draft.isAsking = true
    const chosen = await resolve(draft.text, theirs)
    Object.assign(draft, { isAsking: false, isSending: false, wantsCommit: false })
    draft.base = draft.durable = theirs
    draft.text = chosen ?? theirs ?? ''
    draft.isDirty = chosen !== null
    if (chosen === null) sessionStorage.removeItem(key(id))
    else this.#keep(id, draft)
    if (id === this.#id) this.#put(draft.text, true)
    await this.#run({ do: 'discard', note: id })
    if (draft.isDirty) {
      draft.wantsCommit = true
      this.#send(id, { isCommit: true })
    }
    this.#text.focus()
  }

  // MARK: Commands

  // Saves the draft, and then the file.
  commit() {
    const draft = this.#drafts.get(this.#id)
    if (!draft?.isDirty) return this.#run({ do: 'save' })
    draft.wantsCommit = true
    return this.#send(this.#id, { isCommit: true })
  }

  async discard() {
    const draft = this.#drafts.get(this.#id)
    if (!draft) return
    sessionStorage.removeItem(key(this.#id))
    this.#drafts.delete(this.#id)
    this.#note = null
    await this.#run({ do: 'discard', note: this.#id })
  }

  async #addTag() {
    const name = find('tag').value.trim()
    find('tag').value = ''
    if (name && this.#note) await this.#run({ do: 'tag', note: this.#note.id, name })
  }

  #changed() {
    const draft = this.#drafts.get(this.#id)
    if (!draft || !this.#note) return
    // Half of a character is no text. It can come from a broken paste.
    draft.text = this.#text.value.toWellFormed?.() ?? this.#text.value
    draft.isDirty = true
    this.#keep(this.#id, draft)
    this.#send(this.#id)
    this.#showDraft()
  }

  #heldChanged() {
    if (!this.isHeld && this.isDirty) this.#send(this.#id)
    this.#showDraft()
  }

  // Sends the text of a note, unless the last one is still on its way. Then the answer sends the next one.
  async #send(id, { isCommit = false } = {}) {
    const draft = this.#drafts.get(id)
    if (!draft || draft.isAsking || draft.isSending) return
    draft.isSending = true
    try {
      const { text, base } = draft
      await this.#do({ do: 'write', note: id, text, base, held: this.isHeld && !isCommit })
    } catch (error) {
      draft.isSending = false
      this.#complain(error)
    }
  }

  #run(command) { return this.#do(command).catch(this.#complain) }

  #keep(id, { text, durable }) {
    try {
      sessionStorage.setItem(key(id), JSON.stringify({ text, base: durable }))
    } catch {
      this.#complain(new Error('The browser has no room for this draft. Save it soon.'))
    }
  }

  // Shows a text. The caret stays with the text around it.
  #put(text, isOther) {
    const area = this.#text
    if (area.value === text.replace(/\r\n?/g, '\n')) return
    const [start, end, old] = [area.selectionStart, area.selectionEnd, area.value]
    area.value = text
    if (isOther) {
      area.setSelectionRange(0, 0)
      area.scrollTop = 0
      return
    }
    let same = 0
    while (same < start && old[same] === area.value[same]) same += 1
    const shift = same < start ? area.value.length - old.length : 0
    area.setSelectionRange(Math.max(same, start + shift), Math.max(same, end + shift))
  }

  #showDraft() {
    find('draft').hidden = !(this.isDirty && this.isHeld)
  }
}
