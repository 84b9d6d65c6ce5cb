import { useNavigation } from '@remix-run/react'
import { type RefObject, useEffect, useRef } from 'react'
import { fieldId } from './field.tsx'

/** Focus management when the page changes. */

/** Focuses a field by its name, and opens the collapsed sections that contain it. Returns false if it is not on the page. */
export function focusField(name: string): boolean {
  const field = document.getElementById(fieldId(name))
  if (!field) return false
  for (let details = field.closest('details'); details; details = details.parentElement?.closest('details') ?? null)
    details.open = true
  field.focus()
  field.scrollIntoView({ block: 'center' })
  return true
}

/** Focuses the first of these headings that exists, else the page's own. */
export function focusHeading(headings = 'main h1', options?: FocusOptions): void {
  const heading = document.querySelector<HTMLElement>(headings) ?? document.querySelector<HTMLElement>('main h1')
  if (!heading) return
  heading.tabIndex = -1
  heading.focus(options)
}

/** Whether something has taken the focus on purpose: a message, a dialog. */
export function isFocusTaken(): boolean {
  return Boolean(document.activeElement?.closest('[role="alert"], [role="dialog"], [role="alertdialog"]'))
}

/** Focuses a message and scrolls to it, for each new `key`; does nothing without one. */
export function useFocusOnMessage(message: RefObject<HTMLElement>, key: unknown): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new message takes the focus again
  useEffect(() => {
    message.current?.focus({ preventScroll: true })
    message.current?.scrollIntoView({ block: 'center' })
  }, [key])
}

/**
 * When another view replaces the current one, or opens below it, the focus would be lost or far away: moves it to the heading of the new
 * view, by default the content's first. If the page moved the focus itself (an error summary, a dialog), or the focus is outside the content, it
 * stays there.
 */
export function useFocusOnView(view: string, headings = 'main h2'): void {
  const previousView = useRef(view)
  useEffect(() => {
    if (previousView.current === view) return
    previousView.current = view
    const active = document.activeElement
    const isOutsideContent = active && active !== document.body && !active.closest('main')
    if (!isOutsideContent && !isFocusTaken()) focusHeading(headings)
  }, [view, headings])
}

/**
 * For dialogs opened by state instead of by a trigger: closing returns the focus to the previous element, or to the page's heading if that
 * is gone, such as a deleted row.
 */
export function useRestoreFocus(): { remember: () => void; restoreFocus: (event: Event) => void } {
  const opener = useRef<HTMLElement | null>(null)
  return {
    remember: () => {
      opener.current = document.activeElement instanceof HTMLElement ? document.activeElement : null
    },
    restoreFocus: (event) => {
      event.preventDefault()
      if (opener.current?.isConnected) opener.current.focus()
      else focusHeading()
    },
  }
}

/**
 * After an action on a row of a list, by a form that sends its `id`, the button has changed or is gone: focuses the row's link, or the
 * heading if the row is no longer listed.
 */
export function useFocusOnRow(linkId: (id: string) => string): void {
  const { state, formData } = useNavigation()
  const changedId = useRef<string | null>(null)
  useEffect(() => {
    // On a slow machine the submitting state may never be rendered, so the submitted form is remembered until the page revalidates.
    if (state !== 'idle' && formData) changedId.current = String(formData.get('id') ?? '')
    if (state !== 'idle' || changedId.current === null) return
    const link = document.getElementById(linkId(changedId.current))
    changedId.current = null
    if (document.activeElement !== document.body) return
    if (link) link.focus({ preventScroll: true })
    else focusHeading('main h1', { preventScroll: true })
  }, [state, formData, linkId])
}
