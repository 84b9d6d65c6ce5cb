import { useSyncExternalStore } from 'react'

/** A page or an answer that could not be fetched: the browser is offline, or the server did not answer at all. */
export class ConnectionLost extends Error {
  readonly isOffline = !navigator.onLine

  constructor() {
    super('The server could not be reached')
    this.name = 'ConnectionLost'
  }
}

type OnLost = (why: 'offline' | 'unreachable') => void

/** The form that is about to be sent, if it stays on the page when that fails. */
let expecting: OnLost | null = null

/** Called by a form right before it is sent: where that fails, the form is told and stays as it is, instead of an error page. */
export function expectAnswer(onLost: OnLost): void {
  expecting = onLost
}

/**
 * Fetches a page's data for the router. A form that did not arrive is held until it is sent again or the page is left: the router then
 * aborts the request. Everything else that cannot be fetched is a `ConnectionLost`.
 */
export async function fetchPageData(
  send: typeof fetch,
  input: RequestInfo | URL,
  init: RequestInit = {},
): Promise<Response> {
  const isForm = init.method === 'POST'
  const onLost = isForm ? expecting : null
  if (isForm) expecting = null
  // Only what was not even tried is certain not to have arrived.
  const isOffline = !navigator.onLine
  try {
    return await send(input, init)
  } catch (error) {
    if (init.signal?.aborted) throw error
    if (!onLost) throw new ConnectionLost()
    onLost(isOffline ? 'offline' : 'unreachable')
    return untilAborted(init.signal)
  }
}

function untilAborted(signal: AbortSignal | null | undefined): Promise<never> {
  setHeld(true)
  return new Promise((_, reject) => {
    const end = () => {
      setHeld(false)
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', end, { once: true })
  })
}

let isHeld = false
const listeners = new Set<() => void>()

function setHeld(held: boolean): void {
  isHeld = held
  for (const tell of listeners) tell()
}

/** Whether a form waits for the connection: the router takes it for one that is on its way. */
export function useHeldForm(): boolean {
  return useSyncExternalStore(
    (tell) => {
      listeners.add(tell)
      return () => listeners.delete(tell)
    },
    () => isHeld,
    () => false,
  )
}
