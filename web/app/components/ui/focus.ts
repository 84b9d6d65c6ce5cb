import { useNavigation } from '@remix-run/react'
import { type RefObject, useEffect, useRef } from 'react'
import { fieldId } from './field.tsx'

/** Where the keyboard goes when the page changes under it. */

/** Takes the focus to a field by its name, also one that stands in something folded. Returns false if it is not on the page. */
export function focusField(name: string): boolean {
  const field = document.getElementById(fieldId(name))
  if (!field) return false
  for (let fold = field.closest('details'); fold; fold = fold.parentElement?.closest('details') ?? null)
    fold.open = true
  field.focus()
  field.scrollIntoView({ block: 'center' })
  return true
}

/** Takes the focus to the first of these headings that is there, else to the page's own. */
export function focusHeading(headings = 'main h1', options?: FocusOptions): void {
  const heading = document.querySelector<HTMLElement>(headings) ?? document.querySelector<HTMLElement>('main h1')
  if (!heading) return
  heading.tabIndex = -1
  heading.focus(options)
}

/** Whether the focus is in something that took it for itself: a message, a window. */
export function isFocusTaken(): boolean {
  return Boolean(document.activeElement?.closest('[role="alert"], [role="dialog"], [role="alertdialog"]'))
}

/** Takes the focus to a message, and brings it into view, with every new `key`; nothing is done for none. */
export function useFocusOnMessage(box: RefObject<HTMLElement>, key: unknown): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new message takes the focus again
  useEffect(() => {
    box.current?.focus({ preventScroll: true })
    box.current?.scrollIntoView({ block: 'center' })
  }, [key])
}

/**
 * When another view takes the place of the last one on a page, or opens below, the keyboard would be nowhere or far from it: it goes to
 * the heading of the new view, which is the content's first unless said. A page that chose a place itself (an error summary, a window)
 * keeps it, and so does who is outside the content.
 */
export function useFocusOnView(view: string, headings = 'main h2'): void {
  const shown = useRef(view)
  useEffect(() => {
    if (shown.current === view) return
    shown.current = view
    const active = document.activeElement
    const isElsewhere = active && active !== document.body && !active.closest('main')
    if (!isElsewhere && !isFocusTaken()) focusHeading(headings)
  }, [view, headings])
}

/**
 * For windows that are opened by state instead of a trigger of their own: closing gives the focus back to what had it before, or to the
 * page's heading where that is gone, as the row is that was deleted.
 */
export function useFocusBack(): { remember: () => void; giveBack: (event: Event) => void } {
  const opener = useRef<HTMLElement | null>(null)
  return {
    remember: () => {
      opener.current = document.activeElement instanceof HTMLElement ? document.activeElement : null
    },
    giveBack: (event) => {
      event.preventDefault()
      if (opener.current?.isConnected) opener.current.focus()
      else focusHeading()
    },
  }
}

/**
 * After something was done to a row of a list, by a form that sends its `id`, the button that did it is another one or gone: the focus
 * goes to the row's own link, or to the heading where the row is not on the list any more.
 */
export function useFocusOnRow(linkId: (id: string) => string): void {
  const { state, formData } = useNavigation()
  const doneTo = useRef<string | null>(null)
  useEffect(() => {
    // On a busy machine nothing is drawn while it is submitting: what was sent is there until the page is loaded again.
    if (state !== 'idle' && formData) doneTo.current = String(formData.get('id') ?? '')
    if (state !== 'idle' || doneTo.current === null) return
    const link = document.getElementById(linkId(doneTo.current))
    doneTo.current = null
    if (document.activeElement !== document.body) return
    if (link) link.focus({ preventScroll: true })
    else focusHeading('main h1', { preventScroll: true })
  }, [state, formData, linkId])
}
