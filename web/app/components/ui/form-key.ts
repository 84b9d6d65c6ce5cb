import { useActionData, useLocation } from '@remix-run/react'
import { useRef } from 'react'

/**
 * A React key that changes, and so resets a form, with each navigation to its page; it stays through the form's refusals and hash links
 * within the page.
 */
export function useFormKey(): string {
  const { key, pathname, search, hash } = useLocation()
  const isAnswered = useActionData() !== undefined
  const page = pathname + search
  const kept = useRef({ key, page })
  const isSamePage = hash !== '' && kept.current.page === page
  if (!isAnswered && !isSamePage) kept.current = { key, page }
  return kept.current.key
}
