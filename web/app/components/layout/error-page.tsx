import { isRouteErrorResponse, useLocation, useNavigate, useRouteError } from '@remix-run/react'
import { useEffect } from 'react'
import type { Phrase } from '#core/kernel/phrases.ts'
import type { StaffFrame } from '../../http/staff-frame.ts'
import { phrase } from '../../i18n/phrase.ts'
import { useT } from '../../i18n/use-t.tsx'
import { LinkButton } from '../ui/button.tsx'
import { ConnectionLost } from '../ui/lost-connection.ts'
import { usePreservedBackups } from '../ui/preserved-backups.ts'
import { useBrowserFault } from './browser-fault.ts'

interface ErrorTexts {
  title: string
  text: string
}

const texts: Record<number, ErrorTexts> = {
  403: {
    title: 'You do not have access to this page',
    text: 'Your role does not include this page. If you need access, ask the person who manages your users.',
  },
  404: {
    title: phrase('Page not found'),
    text: phrase(
      'If you typed the address, check that it is right. If you followed a link, the page may have been moved or removed.',
    ),
  },
  429: { title: phrase('Too many attempts'), text: phrase('Please wait a few minutes and try again.') },
  503: {
    title: phrase('We are temporarily unavailable'),
    text: phrase('No change was partly saved. Please try again in a minute.'),
  },
}

const unexpected: ErrorTexts = {
  title: phrase('Sorry, something went wrong'),
  text: phrase('The fault is ours. Your last change may not have been saved: please check before you try again.'),
}

const offline: ErrorTexts = {
  title: phrase('You are offline'),
  text: phrase('This page will load as soon as the connection is back.'),
}
const unreachable: ErrorTexts = {
  title: phrase('The server cannot be reached'),
  text: phrase('Please check your connection, and try again in a minute.'),
}

function textsOf(error: unknown): ErrorTexts {
  if (error instanceof ConnectionLost) return error.isOffline ? offline : unreachable
  return texts[isRouteErrorResponse(error) ? error.status : 500] ?? unexpected
}

/** The heading of an error, in English. */
export function errorHeading(error: unknown): string {
  return textsOf(error).title
}

/** The page title of an error; for the `meta` of routes with an error boundary. */
export function errorTitle(error: unknown): string {
  return `${errorHeading(error)} – Masthead`
}

/** The fields of an error response (remix-handler.ts). */
interface ErrorBody {
  message?: Phrase
  hint?: Phrase
  reference?: string
  /** The frame for a logged-in user of the back office whose page does not exist. */
  frame?: StaffFrame | null
}

/** The texts for the error of the surrounding boundary. If the browser is offline, the page is reloaded as soon as it is online. */
export function useFailure() {
  usePreservedBackups()
  const error = useRouteError()
  const isLost = error instanceof ConnectionLost
  useReturnOnline(isLost && error.isOffline)
  const isErrorResponse = isRouteErrorResponse(error)
  const body: ErrorBody = isErrorResponse && typeof error.data === 'object' && error.data !== null ? error.data : {}
  const reference = useBrowserFault(error, !isErrorResponse && !isLost) ?? body.reference
  return { ...textsOf(error), isLost, status: isErrorResponse ? error.status : 500, body, reference }
}

type Failure = ReturnType<typeof useFailure>

/** The content of an error boundary: what happened, whether anything was saved, where to go, and the reference in our log. */
export function ErrorPage({ isWholePage = false, home = '/' }: { isWholePage?: boolean; home?: string }) {
  const t = useT()
  const failure = useFailure()
  const { status, isLost } = failure
  const body = (
    <div className="mx-auto max-w-xl py-16">
      {!isLost && <p className="numeric text-body font-medium text-muted">{status}</p>}
      <h1 className="mt-1 text-h2">{t(failure.title)}</h1>
      <FailureText failure={failure} />
      <div className="mt-6 flex flex-wrap gap-3">
        <TryAgain failure={failure} />
        {!isLost && (
          <LinkButton to={home} kind={canTryAgain(status) ? 'secondary' : 'primary'} reloadDocument>
            {home === '/' ? t('Go to the home page') : t('Back to your home page')}
          </LinkButton>
        )}
      </div>
      <FailureReference failure={failure} />
    </div>
  )
  return isWholePage ? <main className="px-4">{body}</main> : body
}

/** Explains the error, with the server's message where that helps. */
export function FailureText({ failure: { text, status, body } }: { failure: Failure }) {
  const t = useT()
  return (
    <>
      <p className="mt-3 text-input text-ink-2">{t(text)}</p>
      {body.message && ![404, 500, 503].includes(status) && <p className="mt-3 text-body">{t.phrase(body.message)}</p>}
      {body.hint && <p className="mt-1 text-body text-ink-2">{t.phrase(body.hint)}</p>}
    </>
  )
}

/** After a fault of ours, and where a form is out of date (400): without JavaScript, reloading the error would send the form again. */
export function canTryAgain(status: number): boolean {
  return status >= 500 || status === 400
}

export function TryAgain({ failure: { status, isLost } }: { failure: Failure }) {
  const t = useT()
  const { pathname, search } = useLocation()
  if (!canTryAgain(status)) return null
  return (
    // Offline, reloading the document would fail: the router revalidates instead.
    <LinkButton to={pathname + search} kind="primary" reloadDocument={!isLost} replace>
      {t('Try again')}
    </LinkButton>
  )
}

/** The reference of the error in our log. */
export function FailureReference({ failure: { status, reference } }: { failure: Failure }) {
  const t = useT()
  if (!reference || status < 500) return null
  return (
    <p className="mt-6 text-caption text-muted">
      {t('If you contact us, please give this reference:')} <span className="select-all font-medium">{reference}</span>
    </p>
  )
}

/** Retries the failed page as soon as the browser is online. */
function useReturnOnline(isOffline: boolean): void {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  useEffect(() => {
    if (!isOffline) return
    const retry = () => navigate(pathname + search, { replace: true })
    window.addEventListener('online', retry)
    return () => window.removeEventListener('online', retry)
  }, [isOffline, pathname, search, navigate])
}
