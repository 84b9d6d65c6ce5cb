import { useEffect, useRef } from 'react'

/**
 * When another face of a page takes the place of the last one, or opens below, the keyboard would be nowhere or far from it: it goes to
 * the heading of the new face, which is the content's first unless said. A page that chose a place itself (an error summary, a window)
 * keeps it, and so does who is outside the content.
 */
export function useFaceFocus(face: string, headings = 'main h2'): void {
  const shown = useRef(face)
  useEffect(() => {
    if (shown.current === face) return
    shown.current = face
    const active = document.activeElement
    if (active && active !== document.body) {
      const isElsewhere =
        !active.closest('main') || active.closest('[role="alert"], [role="dialog"], [role="alertdialog"]')
      if (isElsewhere) return
    }
    const heading = document.querySelector<HTMLElement>(headings) ?? document.querySelector<HTMLElement>('main h1')
    if (!heading) return
    heading.tabIndex = -1
    heading.focus()
  }, [face, headings])
}
