import { useActionData, useLocation } from '@remix-run/react'
import { type RefObject, useRef } from 'react'

/**
 * A React key that changes, and so resets a form, with each navigation to its page. It is unchanged by the form's refusals and by hash links
 * within the page, and, while `hasUnsaved` says that something was typed, by anything else that reloads the page, such as a toast's Undo.
 */
export function useFormKey(hasUnsaved?: RefObject<boolean>): string {
  const { key, pathname, search, hash } = useLocation()
  const hasActionData = useActionData() !== undefined
  const current = useRef({ formKey: key, key, pathname, search })
  const last = current.current
  if (key !== last.key) {
    const isSamePage = pathname === last.pathname && search === last.search
    const isUnchanged =
      hasActionData || (hash !== '' && isSamePage) || (pathname === last.pathname && hasUnsaved?.current === true)
    current.current = { formKey: isUnchanged ? last.formKey : key, key, pathname, search }
  }
  return current.current.formKey
}
