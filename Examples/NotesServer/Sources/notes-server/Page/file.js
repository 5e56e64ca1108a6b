// The lines of the file around the open note, and the last ones of its journal. What a save has changed in the file is
// marked for a moment.

import { element, find } from './element.js'

let shownRecord = null

export function showFile(file, noteID) {
  find('file-name').textContent = find('name').textContent = file.name
  document.title = `${file.name} – Notes`
  find('file-name').title = file.path
  find('file-size').textContent = size(file.bytes)
  let last = 0
  const lines = file.lines.flatMap(({ number, text, isRecord }) => {
    const gap = number > last + 1 ? [line('', '⋯', 'gap')] : []
    last = number
    return [...gap, isRecord ? record(number, text, noteID) : line(number, text, '')]
  })
  find('lines').replaceChildren(...lines)
  if (!file.lines.some((line) => line.isRecord)) shownRecord = null
  find('file-hint').replaceChildren(...file.lines.length === 0
    ? ['This file is not JSON, or very large, so it is not shown here.']
    : ['This is the file as it is on the disk. Other programs may change it, too: ',
      element('code', {}, `jq '.notes | length' ${file.name}`)])
}

// The journal is there while the file lacks changes.
export function showJournal({ name, path, changes, lines }) {
  find('journal').hidden = lines.length === 0
  find('journal-name').textContent = name
  find('journal-name').title = path
  find('journal-changes').textContent =
    `${changes.toLocaleString()} ${changes === 1 ? 'change' : 'changes'} since the file was written`
  find('journal-lines').replaceChildren(...lines.map(({ number, text }, index) =>
    index === lines.length - 1 ? recordLine(number, coloured(text, [0, 0])) : line(number, text, '')))
}

function line(number, text, className) {
  const made = element('li', { className }, element('code', {}, text))
  made.dataset.number = number
  return made
}

// The line of the open note.
function record(number, text, noteID) {
  const old = shownRecord?.id === noteID ? shownRecord.text : text
  shownRecord = { id: noteID, text }
  let start = 0
  while (start < text.length && text[start] === old[start]) start += 1
  let end = 0
  while (end < text.length - start && end < old.length - start && text.at(-1 - end) === old.at(-1 - end)) end += 1
  return recordLine(number, coloured(text, text === old ? [0, 0] : [start, Math.max(text.length - end, start + 1)]))
}

function recordLine(number, pieces) {
  const made = element('li', { className: 'record' }, element('code', {}, ...pieces))
  made.dataset.number = number
  return made
}

// JSON in colours, with the mark of a change.
function coloured(text, changed) {
  const pieces = []
  const token = /("(?:[^"\\]|\\.)*")(:?)|[-\d.eE]+|true|false|null|./gs
  for (const match of text.matchAll(token)) {
    // Keys and dates stay in one piece. A line may end after a comma.
    const isWhole = match[0].length < 34 && !match[0].includes(' ')
    const kind = (match[1] ? (match[2] ? 'key' : 'string') : /^[-\dtfn]/.test(match[0]) ? 'number' : '')
      + (isWhole ? ' whole' : '')
    split(match.index, match.index + match[0].length, changed).forEach(([from, to, isChanged]) => {
      pieces.push(element('span', { className: `${kind} ${isChanged ? 'changed' : ''}` }, text.slice(from, to)))
    })
    if (match[0] === ',' || match[2]) pieces.push(element('wbr'))
  }
  return pieces
}

// A range in at most three parts: before, inside and after another one.
function split(from, to, [start, end]) {
  const cuts = [from, Math.min(Math.max(start, from), to), Math.max(Math.min(end, to), from), to]
  return [[cuts[0], cuts[1], false], [cuts[1], Math.max(cuts[1], cuts[2]), true], [Math.max(cuts[1], cuts[2]), to, false]]
    .filter(([a, b]) => b > a)
}

function size(bytes) {
  return bytes < 10_000 ? `${bytes.toLocaleString()} bytes`
    : bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}
