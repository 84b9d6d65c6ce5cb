import { isRouteErrorResponse, useRouteError } from '@remix-run/react'
import type { Phrase } from '#core/kernel/phrases.ts'
import { phrase } from '../../i18n/phrase.ts'
import { useT } from '../../i18n/use-t.tsx'
import { LinkButton } from '../ui/button.tsx'

interface Words {
  title: string
  text: string
}

const words: Record<number, Words> = {
  403: {
    title: 'You may not open this page',
    text: 'Your role does not include it. If you need it, ask the person who manages your users.',
  },
  404: {
    title: phrase('Page not found'),
    text: phrase(
      'If you typed the address, check that it is right. If you followed a link, the page may have been moved or removed.',
    ),
  },
  429: { title: phrase('Too many tries'), text: phrase('Please wait a few minutes and try again.') },
  503: {
    title: phrase('We cannot answer right now'),
    text: phrase('Nothing you entered was lost on our side, and nothing was saved half. Please try again in a minute.'),
  },
}

const unexpected: Words = {
  title: phrase('Sorry, something went wrong'),
  text: phrase(
    'It is not your doing. What you were saving may not have been saved: please check before you try again.',
  ),
}

/** The page title that goes with an error; for the `meta` of routes that have a boundary. */
export function errorTitle(error: unknown): string {
  const { title } = words[isRouteErrorResponse(error) ? error.status : 500] ?? unexpected
  return `${title} – Masthead`
}

/** What an error boundary shows: what happened, what became of the answers, where to go, and the reference that is in our log. */
export function ErrorPage({ isWhole = false, home = '/' }: { isWhole?: boolean; home?: string }) {
  const t = useT()
  const error = useRouteError()
  const isAnswer = isRouteErrorResponse(error)
  const status = isAnswer ? error.status : 500
  const told =
    isAnswer && typeof error.data === 'object' && error.data !== null
      ? (error.data as { message?: Phrase; hint?: Phrase; reference?: string })
      : {}
  const { title, text } = words[status] ?? unexpected
  const body = (
    <div className="mx-auto max-w-xl py-16">
      <p className="numeric text-body font-medium text-muted">{status}</p>
      <h1 className="mt-1 text-h2">{t(title)}</h1>
      <p className="mt-3 text-input text-ink-2">{t(text)}</p>
      {told.message && status !== 404 && status !== 503 && <p className="mt-3 text-body">{t.phrase(told.message)}</p>}
      {told.hint && <p className="mt-1 text-body text-ink-2">{t.phrase(told.hint)}</p>}
      <div className="mt-6 flex flex-wrap gap-3">
        <LinkButton to={home} kind="primary" reloadDocument>
          {home === '/' ? t('Go to the start page') : t('Back to your start page')}
        </LinkButton>
        {status >= 500 && (
          <LinkButton to="." kind="secondary" reloadDocument>
            {t('Try again')}
          </LinkButton>
        )}
      </div>
      {told.reference && status >= 500 && (
        <p className="mt-6 text-caption text-muted">
          {t('If you contact us, please give this reference:')}{' '}
          <span className="select-all font-medium">{told.reference}</span>
        </p>
      )}
    </div>
  )
  return isWhole ? <main className="px-4">{body}</main> : body
}
