import { useLocation } from '@remix-run/react'

/** The parts of a storefront's address that choose what its page shows. */
const kept = ['plan', 'promo', 'lang']

/** The addresses of log-in and log-out at a storefront. Without JavaScript both lead back to this page, with the same offer and language. */
export function useAccessAddresses({ urlKey }: { urlKey: string }, country: string): { logIn: string; logOut: string } {
  const { pathname, search } = useLocation()
  const chosen = [...new URLSearchParams(search)].filter(([name]) => kept.includes(name))
  const query = new URLSearchParams({
    returnTo: `${pathname}?${new URLSearchParams([...chosen, ['country', country]])}`,
  })
  return { logIn: `/${urlKey}/login?${query}`, logOut: `/${urlKey}/logout?${query}` }
}
