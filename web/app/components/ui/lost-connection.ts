import { useSyncExternalStore } from 'react'
import { isQueryIntent } from './query-intent.ts'

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

function takePendingForm(): PendingForm | null {
  const form = pendingForm
  pendingForm = null
  return form
}

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
export const outages: ReadonlySet<number> = new Set([502, 503, 504])

/** The status of a redirect in the router's data fetches. */
const redirectStatus = 202

/** A refused form has the status of an outage too where a provider failed: that is an answer, shown at the form. */
const isOutage = ({ status, headers }: Response) => outages.has(status) && !headers.has('X-Form-Refused')

/** Only a request that was never sent is certain not to have arrived. */
const lostReason = (): LostReason => (navigator.onLine ? 'unreachable' : 'offline')

/**
 * The router's discovery of routes by their addresses. Those of a page that is shown are known: a form that is sent from it before its links are
 * discovered, perhaps offline, needs none. A form that needs it and is not answered is kept.
 */
export async function fetchRoutes(send: typeof fetch, url: URL, init: RequestInit = {}): Promise<Response> {
  const paths = url.searchParams.getAll('p')
  const shown = shownPage()
  const isShown = shown !== undefined && !shown.errors && paths[0] === shown.location.pathname
  if (isShown && paths.length === 1) return new Response('{}')
  const lost = lostReason()
  try {
    const response = await send(url, init)
    if (!outages.has(response.status)) return response
  } catch {
    init.signal?.throwIfAborted()
  }
  // Links are discovered without a signal, before anybody follows them.
  const form = init.signal ? takePendingForm() : null
  if (!form) throw new ConnectionLost()
  form.onLost(lost)
  return untilAborted(init.signal)
}

interface PageAddress {
  pathname: string
  search: string
  hash: string
}

interface RouterState {
  location: PageAddress
  /** Of an error page, whose route may be unknown. */
  errors: object | null
  navigation: { state: 'idle' | 'submitting' | 'loading'; location?: PageAddress }
}

/** The page that is shown. After Back the browser's own address is ahead of it, while the page that is gone back to is loaded. */
function shownPage(): RouterState | undefined {
  return (window as { __remixRouter?: { state: RouterState } }).__remixRouter?.state
}

/** The page that is being opened, such as the one after an accepted form; undefined while there is none, or a form is not answered yet. */
export function pendingPage(): URL | undefined {
  const { state, location } = shownPage()?.navigation ?? {}
  if (state !== 'loading' || !location) return undefined
  return new URL(location.pathname + location.search + location.hash, window.location.origin)
}

/**
 * The router's data fetch. A submission that was not delivered, or whose page is gone, stays pending until it is submitted again or the page is
 * left, when the router aborts the request. A poll, and the reload of a page whose form was answered, are repeated until they are answered or the page is left.
 * All other failed fetches throw `ConnectionLost`. `send` resolves once the whole response was received.
 */
export async function fetchPageData(
  send: typeof fetch,
  input: RequestInfo | URL,
  init: RequestInit = {},
): Promise<Response> {
  const isForm = init.method === 'POST' && !isQuery(init)
  const form = isForm ? takePendingForm() : null
  if (!form) return fetchData(send, input, init, { isForm, form })
  unanswered++
  try {
    return await fetchData(send, input, init, { isForm, form })
  } finally {
    unanswered--
  }
}

/** How many forms were submitted, are kept on the page if that fails, and have no answer yet. */
let unanswered = 0

/** Whether a form has no answer yet. If the connection is lost, it is told so by itself, and submitted again. */
export const isFormUnanswered = () => unanswered > 0

async function fetchData(
  send: typeof fetch,
  input: RequestInfo | URL,
  init: RequestInit,
  { isForm, form }: { isForm: boolean; form: PendingForm | null },
): Promise<Response> {
  const isPost = init.method === 'POST'
  const isRepeated = !isPost && (polling > 0 || isReloadDue) && isShownPage(input)
  const lost = lostReason()
  try {
    const response = await send(input, init)
    if (form && response.status === 404) {
      form.onLost('gone')
      return untilAborted(init.signal)
    }
    if (response.status === redirectStatus) form?.onRedirect()
    if (!isOutage(response) || (!isRepeated && !form && isPageData(response))) {
      if (isForm || !isPost) isReloadDue = isForm && !isOutage(response)
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
  if (!isPost) isReloadDue = false
  if (!form) throw new ConnectionLost()
  form.onLost(lost)
  return untilAborted(init.signal)
}

/** A search that runs beside a form, such as the one for similar readers: the form itself may be sent at the same time. */
const isQuery = ({ body }: RequestInit) =>
  isQueryIntent(body instanceof FormData || body instanceof URLSearchParams ? body : undefined)

/** Whether a response is in the router's own format, unlike the page of a proxy. */
export const isPageData = ({ headers }: Response) => headers.get('Content-Type')?.startsWith('text/x-script') === true

/** Whether it is the data of the page that is shown: the router adds `.data` to the path, and may add `_routes` to the query. */
function isShownPage(input: RequestInfo | URL): boolean {
  const shown = shownPage()
  if (!(input instanceof URL) || !shown) return false
  const { pathname, search } = shown.location
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
