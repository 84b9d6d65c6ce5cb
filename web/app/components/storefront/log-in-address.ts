import { useLocation } from '@remix-run/react'

/** Where to log in at a storefront and out of it. Without JavaScript both lead back to this page, with the prices of the same country. */
export function useAccessAddresses({ urlKey }: { urlKey: string }, country: string): { logIn: string; logOut: string } {
  const { pathname } = useLocation()
  const query = new URLSearchParams({ returnTo: `${pathname}?${new URLSearchParams({ country })}` })
  return { logIn: `/${urlKey}/login?${query}`, logOut: `/${urlKey}/logout?${query}` }
}
