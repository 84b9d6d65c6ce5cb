import { useActionData, useLocation } from '@remix-run/react'
import { useRef } from 'react'

/**
 * A key under which a form starts over with every page that was gone to, and stays as it is through its own refusals and on the way to
 * another place of the same page.
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
