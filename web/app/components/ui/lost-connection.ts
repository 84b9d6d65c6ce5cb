import { useSyncExternalStore } from 'react'

/** A failed fetch of a page or a response: the browser is offline, or the server did not respond at all. */
export class ConnectionLost extends Error {
  readonly isOffline = !navigator.onLine

  constructor() {
    super('The server could not be reached')
    this.name = 'ConnectionLost'
  }
}

type OnLost = (why: 'offline' | 'unreachable') => void

/** The form being submitted, if it stays on the page when that fails. */
let pendingForm: OnLost | null = null

/** Called by a form before it is submitted: if that fails, the form is notified and kept on the page, instead of an error page. */
export function expectResponse(onLost: OnLost): void {
  pendingForm = onLost
}

/** How many parts of the page poll its data. */
let polling = 0
const repeatMs = 2000

/** Called by a page that polls its data; returns a function that ends it. Until then, a failed reload of the page is repeated. */
export function expectPolls(): () => void {
  polling++
  return () => {
    polling--
  }
}

/**
 * The router's data fetch. A submission that was not delivered stays pending until it is submitted again or the page is left, when the
 * router aborts the request. A poll is repeated until it is answered or the page is left. All other failed fetches throw `ConnectionLost`.
 */
export async function fetchPageData(
  send: typeof fetch,
  input: RequestInfo | URL,
  init: RequestInit = {},
): Promise<Response> {
  const isForm = init.method === 'POST'
  const onLost = isForm ? pendingForm : null
  if (isForm) pendingForm = null
  // Only a request that was never sent is certain not to have arrived.
  const isOffline = !navigator.onLine
  try {
    return await send(input, init)
  } catch (error) {
    if (init.signal?.aborted) throw error
    if (!isForm && polling > 0 && isThisPage(input)) {
      await new Promise((resolve) => setTimeout(resolve, repeatMs))
      init.signal?.throwIfAborted()
      return fetchPageData(send, input, init)
    }
    if (!onLost) throw new ConnectionLost()
    onLost(isOffline ? 'offline' : 'unreachable')
    return untilAborted(init.signal)
  }
}

/** Whether it is the data of the current address: the router adds `.data` to the path, and may add `_routes` to the query. */
function isThisPage(input: RequestInfo | URL): boolean {
  if (!(input instanceof URL)) return false
  const { pathname, search } = window.location
  const query = new URLSearchParams(input.search)
  query.delete('_routes')
  return input.pathname === `${pathname.replace(/\/$/, '')}.data` && `${query}` === `${new URLSearchParams(search)}`
}

function untilAborted(signal: AbortSignal | null | undefined): Promise<never> {
  setWaiting(true)
  return new Promise((_, reject) => {
    const end = () => {
      setWaiting(false)
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', end, { once: true })
  })
}

let isWaiting = false
const listeners = new Set<() => void>()

function setWaiting(waiting: boolean): void {
  isWaiting = waiting
  for (const notify of listeners) notify()
}

/** Whether a form waits for the connection: the router still treats it as pending. */
export function useWaitingForm(): boolean {
  return useSyncExternalStore(
    (notify) => {
      listeners.add(notify)
      return () => listeners.delete(notify)
    },
    () => isWaiting,
    () => false,
  )
}
