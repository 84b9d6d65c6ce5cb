import { fieldId } from '../ui/field.tsx'

/** Moves to a field, and opens its part of the page. */
export function goToField(name: string): void {
  const field = document.getElementById(fieldId(name))
  if (!field) return
  for (let details = field.closest('details'); details; details = details.parentElement?.closest('details') ?? null)
    details.open = true
  field.focus()
  field.scrollIntoView({ block: 'center' })
}
