import { useEffect } from 'react'
import { useT } from '../../i18n/use-t.tsx'

/** Says in the page's title that a form was refused, for as long as it stands so. The server says it where no script runs. */
export function useErrorTitle(isRefused: boolean): void {
  const prefix = `${useT()('Error')}: `
  useEffect(() => {
    if (!isRefused || document.title.startsWith(prefix)) return
    const plain = document.title
    document.title = `${prefix}${plain}`
    return () => {
      document.title = plain
    }
  }, [isRefused, prefix])
}
