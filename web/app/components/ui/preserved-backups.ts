import { useEffect, useLayoutEffect } from 'react'

/** A layout effect, which React warns about when rendering on a server. */
export const useIsomorphicLayoutEffect = typeof document === 'undefined' ? useEffect : useLayoutEffect

/** How many error pages replace the page. */
let errorPages = 0

/** Whether an error page replaces the page. */
export const isErrorPage = () => errorPages > 0

/** In an error page: a form that it replaces at the form's own address keeps its backup, to be offered when the page opens again. */
export function usePreservedBackups(): void {
  useIsomorphicLayoutEffect(() => {
    errorPages++
    return () => {
      errorPages--
    }
  }, [])
}
