import { data, type LinksFunction, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import {
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  type ShouldRevalidateFunction,
  useLoaderData,
  useMatches,
} from '@remix-run/react'
import type { ReactNode } from 'react'
import { locales } from '#core/kernel/languages.ts'
import { ErrorPage, errorTitle } from './components/layout/error-page.tsx'
import { useNonce } from './components/layout/nonce.tsx'
import { PageAnnouncer } from './components/layout/page-announcer.tsx'
import { useRouteScripts } from './components/layout/route-scripts.ts'
import { usePageShop } from './components/storefront/shop-error-page.tsx'
import { isQueryIntent } from './components/ui/query-intent.ts'
import { Toasts } from './components/ui/toasts.tsx'
import { TopProgress } from './components/ui/top-progress.tsx'
import latin from './fonts/inter-latin.woff2?url'
import { visitorLanguage } from './http/language.ts'
import { shopOfAddress } from './http/storefront-data.ts'
import { takeToast } from './http/toast.ts'
import { isShopPage, usePageLanguage } from './i18n/page-language.ts'
import { I18nProvider, usePageTranslator } from './i18n/use-t.tsx'
import shopStyles from './shop.css?url'
import styles from './styles.css?url'

export const links: LinksFunction = () => [
  { rel: 'preload', href: latin, as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' },
  { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' },
  { rel: 'icon', href: '/favicon.ico', sizes: '32x32' },
]

export const meta: MetaFunction = ({ error }) => [{ title: error ? errorTitle(error) : 'Masthead' }]

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { toast, headers } = takeToast(request, context)
  // An unmatched address may still be below a shop's.
  const shop = await shopOfAddress(context, params.urlKey ?? params['*']?.split('/')[0])
  return data({ toast, visitorLanguage: visitorLanguage(request, context), shop }, { headers })
}

/** Toasts follow form submissions. Other navigation does not reload the root: if it fails, the frame stays. */
export const shouldRevalidate: ShouldRevalidateFunction = ({ formMethod, formData }) =>
  formMethod !== undefined && formMethod !== 'GET' && !isQueryIntent(formData)

export function Layout({ children }: { children: ReactNode }) {
  const nonce = useNonce()
  const translator = usePageTranslator(usePageLanguage())
  return (
    <html lang={locales[translator.language]}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content="#14202e" />
        <Meta />
        <Links />
        <link rel="stylesheet" href={useIsShop() ? shopStyles : styles} />
      </head>
      <body>
        <I18nProvider translator={translator}>{children}</I18nProvider>
        <ScrollRestoration nonce={nonce} />
        <Scripts nonce={nonce} />
      </body>
    </html>
  )
}

/** Whether it is a page of a shop, which has a stylesheet of its own. Without a shop, its error page may have the frame of the back office. */
function useIsShop(): boolean {
  const shop = usePageShop()
  return useMatches().some(({ id }) => isShopPage.test(id)) && shop !== null
}

export default function App() {
  useRouteScripts()
  const { toast } = useLoaderData<typeof loader>()
  // Readers' pages only have toasts after a redirect.
  const onlyAfterRedirect = useMatches().some(({ id }) => isShopPage.test(id))
  return (
    <>
      <TopProgress />
      <Outlet />
      <PageAnnouncer />
      {/* Errors are shown on the page: failure-banner.tsx. */}
      <Toasts message={toast?.kind === 'error' ? null : toast} onlyAfterRedirect={onlyAfterRedirect} />
    </>
  )
}

export function ErrorBoundary() {
  return <ErrorPage isWholePage />
}
