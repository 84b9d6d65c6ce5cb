import { useNavigation } from '@remix-run/react'
import { useEffect, useRef } from 'react'

/** The id of the link to a user's page in a list. */
export function linkId(userId: number | string): string {
  return `to-user-${userId}`
}

/**
 * After a deed the button that did it is another one or gone: the focus goes to the same user's link, or to the heading where the user
 * is not on the list any more.
 */
export function useKeptFocus(): void {
  const { state, formData } = useNavigation()
  const doneTo = useRef<string | null>(null)
  useEffect(() => {
    if (state === 'submitting') doneTo.current = String(formData?.get('id') ?? '')
    if (state !== 'idle' || doneTo.current === null) return
    const link = document.getElementById(linkId(doneTo.current))
    doneTo.current = null
    if (document.activeElement !== document.body) return
    const place = link ?? document.querySelector<HTMLElement>('main h1')
    if (place?.tagName === 'H1') place.tabIndex = -1
    place?.focus({ preventScroll: true })
  }, [state, formData])
}
