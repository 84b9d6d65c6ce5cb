import { useEffect } from 'react'

/** Says in the page's title that a form was refused, for as long as it stands so. The server says it where no script runs. */
export function useErrorTitle(isRefused: boolean): void {
  useEffect(() => {
    if (!isRefused || document.title.startsWith('Error: ')) return
    const plain = document.title
    document.title = `Error: ${plain}`
    return () => {
      document.title = plain
    }
  }, [isRefused])
}
