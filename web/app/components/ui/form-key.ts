import { useActionData, useLocation } from '@remix-run/react'
import { useRef } from 'react'

/**
 * A React key that changes, and so resets a form, with each navigation to its page; it is unchanged by the form's refusals and hash links
 * within the page.
 */
export function useFormKey(): string {
  const { key, pathname, search, hash } = useLocation()
  const isAnswered = useActionData() !== undefined
  const page = pathname + search
  const current = useRef({ key, page })
  const isSamePage = hash !== '' && current.current.page === page
  if (!isAnswered && !isSamePage) current.current = { key, page }
  return current.current.key
}
