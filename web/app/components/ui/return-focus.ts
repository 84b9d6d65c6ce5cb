import { useRef } from 'react'

/** For windows that are opened by state instead of a trigger of their own: closing gives the focus back to what had it before. */
export function useReturnFocus(): { remember: () => void; giveBack: (event: Event) => void } {
  const opener = useRef<HTMLElement | null>(null)
  return {
    remember: () => {
      opener.current = document.activeElement instanceof HTMLElement ? document.activeElement : null
    },
    giveBack: (event) => {
      event.preventDefault()
      opener.current?.focus()
    },
  }
}
