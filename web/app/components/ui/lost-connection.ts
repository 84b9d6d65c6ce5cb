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
  /** Called if the response is a redirect: the form was accepted, or the user has to log in. */
  onRedirect: () => void
}

/** The form being submitted, if it is to stay on the page when the submission fails. */
let pendingForm: PendingForm | null = null

function takePendingForm(): PendingForm | null {
  const form = pendingForm
  pendingForm = null
  return form
}

/** Called by a form before it is submitted: if the submission fails, the form is notified and stays on the page, instead of an error page. */
export function expectResponse(form: PendingForm): void {
  pendingForm = form
}

/** The number of parts of the page that poll its data. */
let pollerCount = 0
const retryMs = 2000

/** Called by a page that polls its data; returns a function to call when it stops. Until then, a failed reload of the page is retried. */
export function expectPolls(): () => void {
  pollerCount++
  return () => {
    pollerCount--
  }
}

/** Whether the reload of the page after a form's response has not succeeded yet: an error page must not replace the response that is shown. */
let isReloadDue = false

/** Statuses of a server, or a proxy in front of it, that cannot respond at the moment. */
export const outages: ReadonlySet<number> = new Set([502, 503, 504])

/** The status of a redirect in the router's data fetches. */
const redirectStatus = 202

/** A form that is refused because a provider failed has the status of an outage too, but its response is shown at the form. */
const isOutage = ({ status, headers }: Response) => outages.has(status) && !headers.has('X-Form-Refused')

/** Only a request that was never sent is certain not to have arrived. */
const lostReason = (): LostReason => (navigator.onLine ? 'unreachable' : 'offline')

/**
 * The router's route discovery: it asks the server for the routes of addresses. The routes of the shown page are known, so a form that is submitted
 * from it needs no request, even offline. If the route of a submitted form cannot be discovered, the form stays on the page.
 */
export async function fetchRoutes(send: typeof fetch, url: URL, init: RequestInit = {}): Promise<Response> {
  const paths = url.searchParams.getAll('p')
  const page = shownPage()
  const isShown = page !== undefined && !page.errors && paths[0] === page.location.pathname
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
  /** Set on an error page, whose route may be unknown. */
  errors: object | null
  navigation: { state: 'idle' | 'submitting' | 'loading'; location?: PageAddress }
}

/** The page that is shown. After Back, the browser already has the previous page's address while that page is being loaded. */
function shownPage(): RouterState | undefined {
  return (window as { __remixRouter?: { state: RouterState } }).__remixRouter?.state
}

/** The page that is being opened, such as the one after an accepted form; undefined if there is none, or while a form waits for its response. */
export function pendingPage(): URL | undefined {
  const { state, location } = shownPage()?.navigation ?? {}
  if (state !== 'loading' || !location) return undefined
  return new URL(location.pathname + location.search + location.hash, window.location.origin)
}

/**
 * The router's data fetch. A submission that was not delivered, or whose page is gone, stays pending until it is submitted again or the page is
 * left, when the router aborts the request. A poll, and the reload of a page after a form's response, are retried until they succeed or the page is
 * left. All other failed fetches throw `ConnectionLost`. `send` resolves once the whole response was received.
 */
export async function fetchPageData(
  send: typeof fetch,
  input: RequestInfo | URL,
  init: RequestInit = {},
): Promise<Response> {
  const isForm = init.method === 'POST' && !isQuery(init)
  const form = isForm ? takePendingForm() : null
  if (!form) return fetchData(send, input, init, { isForm, form })
  unansweredCount++
  try {
    return await fetchData(send, input, init, { isForm, form })
  } finally {
    unansweredCount--
  }
}

/** The number of submitted forms that have no response yet, and stay on the page if the submission fails. */
let unansweredCount = 0

/** Whether a submitted form has no response yet. If the connection is lost, the form itself says so, and can be submitted again. */
export const isFormUnanswered = () => unansweredCount > 0

async function fetchData(
  send: typeof fetch,
  input: RequestInfo | URL,
  init: RequestInit,
  { isForm, form }: { isForm: boolean; form: PendingForm | null },
): Promise<Response> {
  const isPost = init.method === 'POST'
  const isRetried = !isPost && (pollerCount > 0 || isReloadDue) && isShownPage(input)
  const lost = lostReason()
  try {
    const response = await send(input, init)
    if (form && response.status === 404) {
      form.onLost('gone')
      return untilAborted(init.signal)
    }
    if (response.status === redirectStatus) form?.onRedirect()
    if (!isOutage(response) || (!isRetried && !form && isPageData(response))) {
      if (isForm || !isPost) isReloadDue = isForm && !isOutage(response)
      return response
    }
  } catch (error) {
    if (init.signal?.aborted) throw error
  }
  if (isRetried) {
    await new Promise((resolve) => setTimeout(resolve, retryMs))
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

/** Whether a request is for the data of the shown page: the router adds `.data` to the path, and may add `_routes` to the query. */
function isShownPage(input: RequestInfo | URL): boolean {
  const page = shownPage()
  if (!(input instanceof URL) || !page) return false
  const { pathname, search } = page.location
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
