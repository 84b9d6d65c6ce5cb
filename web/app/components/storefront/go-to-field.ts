import { fieldId } from '../ui/field.tsx'

/** Moves the focus to a field, and opens the collapsed sections that contain it. */
export function goToField(name: string): void {
  const field = document.getElementById(fieldId(name))
  if (!field) return
  for (let details = field.closest('details'); details; details = details.parentElement?.closest('details') ?? null)
    details.open = true
  field.focus()
  field.scrollIntoView({ block: 'center' })
}
