import { fieldId } from '../ui/field.tsx'

/** Moves to a field, and unfolds its part of the page. */
export function goToField(name: string): void {
  const field = document.getElementById(fieldId(name))
  if (!field) return
  for (let fold = field.closest('details'); fold; fold = fold.parentElement?.closest('details') ?? null)
    fold.open = true
  field.focus()
  field.scrollIntoView({ block: 'center' })
}
