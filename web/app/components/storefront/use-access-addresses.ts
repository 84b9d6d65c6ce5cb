import { useLocation } from '@remix-run/react'

/** The addresses of log-in and log-out at a storefront. Without JavaScript both lead back to this page, with the prices of the same country. */
export function useAccessAddresses({ urlKey }: { urlKey: string }, country: string): { logIn: string; logOut: string } {
  const { pathname } = useLocation()
  const query = new URLSearchParams({ returnTo: `${pathname}?${new URLSearchParams({ country })}` })
  return { logIn: `/${urlKey}/login?${query}`, logOut: `/${urlKey}/logout?${query}` }
}
