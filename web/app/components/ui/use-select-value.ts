import { type RefObject, useEffect, useRef } from 'react'

/**
 * For a select whose choice is in the address: `defaultValue` sets only the first choice, so this hook sets the choice after Back or a link. A `key`
 * would replace the select, and take the focus from a user who has just chosen.
 */
export function useSelectValue(value: string | number): RefObject<HTMLSelectElement> {
  const select = useRef<HTMLSelectElement>(null)
  useEffect(() => {
    if (select.current) select.current.value = String(value)
  }, [value])
  return select
}
