import { useRef } from 'react'

/**
 * For windows that are opened by state instead of a trigger of their own: closing gives the focus back to what had it before, or to the
 * page's heading where that is gone, as the row is that was deleted.
 */
export function useReturnFocus(): { remember: () => void; giveBack: (event: Event) => void } {
  const opener = useRef<HTMLElement | null>(null)
  return {
    remember: () => {
      opener.current = document.activeElement instanceof HTMLElement ? document.activeElement : null
    },
    giveBack: (event) => {
      event.preventDefault()
      if (opener.current?.isConnected) return opener.current.focus()
      const heading = document.querySelector<HTMLElement>('main h1')
      if (!heading) return
      heading.tabIndex = -1
      heading.focus()
    },
  }
}
