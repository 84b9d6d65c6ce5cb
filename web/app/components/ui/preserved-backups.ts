import { useIsomorphicLayoutEffect } from './use-isomorphic-layout-effect.ts'

/** The number of error pages that are shown instead of a page. */
let errorPageCount = 0

/** Whether an error page is shown instead of the page. */
export const isErrorPage = () => errorPageCount > 0

/** For an error page: a form that it replaces at the same address keeps its backup, which is offered when the page is opened again. */
export function usePreservedBackups(): void {
  useIsomorphicLayoutEffect(() => {
    errorPageCount++
    return () => {
      errorPageCount--
    }
  }, [])
}
