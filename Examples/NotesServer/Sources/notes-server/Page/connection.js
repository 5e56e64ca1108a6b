// The connection to the server: events in one stream, commands beside it.
//
// EventSource cannot send a header, and the token should not be in an address. So the stream is read by fetch. It
// ends while the page is hidden, because a browser has only six connections for all windows of one site.

const KEY = 'notes-token'

export class Connection {
  #window = null
  #abort = null
  // Settled when the server has answered all commands before.
  #before = Promise.resolve()
  #onEvent
  #onState

  // onEvent(name, payload); onState('open' | 'lost' | 'refused')
  constructor(onEvent, onState) {
    this.#onEvent = onEvent
    this.#onState = onState
  }

  async run() {
    takeToken()
    addEventListener('hashchange', () => { if (takeToken()) this.#abort?.abort() })
    document.addEventListener('visibilitychange', () => { if (document.hidden) this.#abort?.abort() })
    for (let wait = 100; ; wait = Math.min(2 * wait, 2000)) {
      if (document.hidden) await happens(document, 'visibilitychange')
      const token = localStorage.getItem(KEY)
      try {
        const status = await this.#follow(token, () => { wait = 50 })
        if (status === 401) {
          this.#onState('refused')
          // Another window, or this one, is opened with the new address.
          while (localStorage.getItem(KEY) === token) await Promise.race([pause(1000), happens(window, 'storage')])
          continue
        }
      } catch {
        // The server is not there, or the page was hidden.
      }
      this.#window = null
      if (!document.hidden) this.#onState('lost')
      await pause(wait)
    }
  }

  // Sends a command. Throws with a sentence for the user.
  //
  // A browser has several connections to the server, and a later request may overtake an earlier one. So a command waits
  // for the answer to the one before. Nothing waits for a save, which takes as long as the disk does.
  do(command) {
    const answer = this.#before.then(() => this.#send(command))
    if (command.do !== 'save') this.#before = answer.catch(() => {})
    return answer
  }

  async #send(command) {
    let response
    try {
      response = await fetch('/api/do', {
        method: 'POST', body: JSON.stringify(command),
        headers: {
          'Content-Type': 'application/json', 'X-Notes-Token': localStorage.getItem(KEY) ?? '',
          'X-Notes-Window': this.#window ?? '',
        },
      })
    } catch {
      throw new Error('The server cannot be reached.')
    }
    if (!response.ok) throw new Error((await response.text()).trim())
  }

  async #follow(token, begun) {
    this.#abort = new AbortController()
    const response = await fetch('/api/events', {
      headers: { 'X-Notes-Token': token ?? '' }, signal: this.#abort.signal, cache: 'no-store',
    })
    if (!response.ok) return response.status
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    for (let text = ''; ;) {
      const { value, done } = await reader.read()
      if (done) return 200
      text += value
      const blocks = text.split('\n\n')
      text = blocks.pop()
      for (const block of blocks) {
        const parts = /^event: (\w+)\ndata: (.*)$/s.exec(block)
        if (!parts) continue
        const payload = JSON.parse(parts[2])
        if (parts[1] === 'hello') {
          begun()
          this.#window = payload.window
          this.#onState('open')
        } else {
          this.#onEvent(parts[1], payload)
        }
      }
    }
  }
}

// Takes the token from the address, and removes it there. All windows of this server share it.
function takeToken() {
  const token = /^#([0-9a-f]{32})$/.exec(location.hash)?.[1]
  if (!token) return false
  localStorage.setItem(KEY, token)
  history.replaceState(null, '', '/')
  return true
}

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))
const happens = (target, name) =>
  new Promise((resolve) => target.addEventListener(name, resolve, { once: true }))
