import { fieldId } from '../ui/field.tsx'

/** Brings somebody to a field, also where its part of the page is folded. */
export function goToField(name: string): void {
  const field = document.getElementById(fieldId(name))
  if (!field) return
  for (let fold = field.closest('details'); fold; fold = fold.parentElement?.closest('details') ?? null)
    fold.open = true
  field.focus()
  field.scrollIntoView({ block: 'center' })
}
