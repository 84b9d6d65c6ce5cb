import { useEffect } from 'react'
import { useT } from '../../i18n/use-t.tsx'

/** Adds "Error" to the page's title while a form has errors. Without JavaScript the server does it. */
export function useErrorTitle(isRefused: boolean): void {
  const prefix = `${useT()('Error')}: `
  useEffect(() => {
    if (!isRefused || document.title.startsWith(prefix)) return
    const plain = document.title
    const refused = `${prefix}${plain}`
    document.title = refused
    return () => {
      // When the page is left, the next one has already set its own title.
      if (document.title === refused) document.title = plain
    }
  }, [isRefused, prefix])
}
