// The list of notes. The server sends changes of the rows that are here, and more rows when one scrolls.

import { element, find, marked, shortDate, tag } from './element.js'

export class Timeline {
  #rows = find('rows')
  #byID = new Map()
  #count = 0
  #isAsking = false
  #ask
  #onSelect
  selected = null

  // ask() asks for more rows. onSelect(id) is called when another note is selected.
  constructor(ask, onSelect) {
    this.#ask = ask
    this.#onSelect = onSelect
    this.#rows.addEventListener('click', (event) => {
      const row = event.target.closest('.row')
      if (row) this.select(row.dataset.note)
    })
    const observer = new IntersectionObserver(() => this.#fill(), { root: find('timeline'), rootMargin: '600px' })
    observer.observe(find('end'))
  }

  has(id) { return this.#byID.has(id) }
  focus() { this.#rows.focus({ preventScroll: true }) }

  apply(change) {
    this.#count = change.count
    if (change.isNew) {
      this.#rows.replaceChildren()
      this.#byID.clear()
      find('timeline').scrollTop = 0
    }
    for (const id of change.removed) {
      this.#byID.get(id)?.remove()
      this.#byID.delete(id)
    }
    const isAddition = !change.isNew && change.inserted.length < 3 && !this.#isAsking
    for (const { index, row } of change.inserted) {
      const made = this.#make(row)
      if (isAddition) made.classList.add('is-new')
      this.#rows.insertBefore(made, this.#rows.children[index] ?? null)
    }
    for (const row of change.updated) this.#byID.get(row.id)?.replaceWith(this.#make(row))
    this.#isAsking = false
    find('count').textContent = change.count.toLocaleString()
    find('nothing').hidden = change.count > 0
    this.#showSelection()
    // The end may still be in sight, and then the observer says nothing.
    requestAnimationFrame(() => this.#fill())
  }

  select(id) {
    if (id === this.selected) return
    this.selected = id
    this.#showSelection()
    this.#byID.get(id)?.scrollIntoView({ block: 'nearest' })
    this.#onSelect(id)
  }

  selectFirst() {
    const first = this.#rows.firstElementChild
    if (first) this.select(first.dataset.note)
  }

  // Selects the row before or after the selected one.
  move(step) {
    const row = this.#byID.get(this.selected)
    if (!row) return this.selectFirst()
    const next = step > 0 ? row.nextElementSibling : row.previousElementSibling
    if (next) this.select(next.dataset.note)
  }

  // The row that is selected when this one is gone.
  neighbour(id) {
    const row = this.#byID.get(id)
    return (row?.nextElementSibling ?? row?.previousElementSibling)?.dataset.note ?? null
  }

  #showSelection() {
    this.#rows.querySelector('[aria-selected="true"]')?.setAttribute('aria-selected', 'false')
    const row = this.#byID.get(this.selected)
    row?.setAttribute('aria-selected', 'true')
    if (row) this.#rows.setAttribute('aria-activedescendant', row.id)
    else this.#rows.removeAttribute('aria-activedescendant')
  }

  #fill() {
    const timeline = find('timeline')
    const rest = timeline.scrollHeight - timeline.scrollTop - timeline.clientHeight
    if (this.#isAsking || this.#byID.size >= this.#count || rest > 600) return
    this.#isAsking = true
    this.#ask().catch(() => { this.#isAsking = false })
  }

  #make(row) {
    const title = marked('title', row.title)
    if (!title.textContent) title.append(element('span', { className: 'soft' }, 'New note'))
    const made = element('div', { className: 'row', id: `note-${row.id}`, role: 'option', ariaSelected: 'false' },
      element('div', { className: 'head' }, title, element('time', {}, shortDate(row.date))),
      marked('excerpt', row.excerpt))
    if (row.tags.length) {
      made.append(element('div', { className: 'tags' }, ...row.tags.map(({ id, name }) => tag(id, name))))
    }
    made.dataset.note = row.id
    this.#byID.set(row.id, made)
    return made
  }
}
