import { useSyncExternalStore } from 'react'

/** A failed fetch of a page or a response: the browser is offline, or the server did not respond at all. */
export class ConnectionLost extends Error {
  readonly isOffline = !navigator.onLine

  constructor() {
    super('The server could not be reached')
    this.name = 'ConnectionLost'
  }
}

/** `gone`: the record that the form is about was removed, and its page with it. */
export type LostReason = 'offline' | 'unreachable' | 'gone'

interface PendingForm {
  onLost: (why: LostReason) => void
  /** The answer leads to a page: the form was accepted, or the user has to log in. */
  onRedirect: () => void
}

/** The form being submitted, if it stays on the page when that fails. */
let pendingForm: PendingForm | null = null

/** Called by a form before it is submitted: if that fails, the form is notified and kept on the page, instead of an error page. */
export function expectResponse(form: PendingForm): void {
  pendingForm = form
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

/** Whether a form was answered and the reload of the page that follows was not: the page shows the answer, and must not be lost with it. */
let isReloadDue = false

/** Statuses of a server, or a proxy in front of it, that cannot respond at the moment. */
const outages = new Set([502, 503, 504])

/** The status of a redirect in the router's data fetches. */
const redirectStatus = 202

/** A refused form has the status of an outage too where a provider failed: that is an answer, shown at the form. */
const isOutage = ({ status, headers }: Response) => outages.has(status) && !headers.has('X-Form-Refused')

interface ShownPage {
  location: { pathname: string }
  errors: object | null
}

/**
 * The router's discovery of routes by their addresses. Those of a page that is shown are known: a form that is sent from it before its links are
 * discovered, perhaps offline, needs none.
 */
export async function fetchRoutes(send: typeof fetch, url: URL, init: RequestInit = {}): Promise<Response> {
  const paths = url.searchParams.getAll('p')
  if (paths.length === 1 && paths[0] === shownPath()) return Response.json({})
  try {
    return await send(url, init)
  } catch {
    init.signal?.throwIfAborted()
    throw new ConnectionLost()
  }
}

/**
 * The path of the page that is shown, null for an error page, whose route may be unknown. The browser's own address is ahead of it after Back, when
 * the page that is gone back to is not loaded yet.
 */
function shownPath(): string | null {
  const { __remixRouter: router } = window as { __remixRouter?: { state: ShownPage } }
  return router && !router.state.errors ? router.state.location.pathname : null
}

/**
 * The router's data fetch. A submission that was not delivered, or whose page is gone, stays pending until it is submitted again or the page is
 * left, when the router aborts the request. A poll, and the reload of a page whose form was answered, are repeated until they are answered or the page is left.
 * All other failed fetches throw `ConnectionLost`.
 */
export async function fetchPageData(
  send: typeof fetch,
  input: RequestInfo | URL,
  init: RequestInit = {},
): Promise<Response> {
  const isForm = init.method === 'POST'
  const form = isForm ? pendingForm : null
  if (isForm) pendingForm = null
  const isRepeated = !isForm && (polling > 0 || isReloadDue) && isThisPage(input)
  // Only a request that was never sent is certain not to have arrived.
  const isOffline = !navigator.onLine
  try {
    const response = await send(input, init)
    if (form && response.status === 404) {
      form.onLost('gone')
      return untilAborted(init.signal)
    }
    if (response.status === redirectStatus) form?.onRedirect()
    if (!isOutage(response) || !(isRepeated || form)) {
      isReloadDue = isForm
      return response
    }
  } catch (error) {
    if (init.signal?.aborted) throw error
  }
  if (isRepeated) {
    await new Promise((resolve) => setTimeout(resolve, repeatMs))
    init.signal?.throwIfAborted()
    return fetchPageData(send, input, init)
  }
  if (!form) throw new ConnectionLost()
  form.onLost(isOffline ? 'offline' : 'unreachable')
  return untilAborted(init.signal)
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
