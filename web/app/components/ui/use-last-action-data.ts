import { useActionData, useLocation } from '@remix-run/react'
import { useState } from 'react'

/**
 * The data of the page's last action, for a page that polls: `useActionData` loses it at the next poll; this hook keeps it until something else is
 * submitted or opened.
 */
export function useLastActionData<Action = unknown>() {
  const data = useActionData<Action>()
  const { key } = useLocation()
  const [last, setLast] = useState({ key, data })
  // A poll keeps the key of the location.
  const keepsLast = data === undefined && last.key === key
  if (!keepsLast && (last.key !== key || last.data !== data)) setLast({ key, data })
  return keepsLast ? last.data : data
}
