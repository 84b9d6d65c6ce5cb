import { useActionData, useLocation } from '@remix-run/react'
import { useRef } from 'react'

/** A key under which a form begins anew with every page that was gone to, and stays as it is through its own refusals. */
export function useFormKey(): string {
  const { key } = useLocation()
  const isAnswered = useActionData() !== undefined
  const kept = useRef(key)
  if (!isAnswered) kept.current = key
  return kept.current
}
