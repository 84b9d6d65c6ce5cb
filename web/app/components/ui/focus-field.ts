import { fieldId } from './field.tsx'

/** Takes the focus to a field by its name, also one that stands in something folded. Gives false where it is not on the page. */
export function focusField(name: string): boolean {
  const field = document.getElementById(fieldId(name))
  if (!field) return false
  for (let fold = field.closest('details'); fold; fold = fold.parentElement?.closest('details') ?? null)
    fold.open = true
  field.focus()
  field.scrollIntoView({ block: 'center' })
  return true
}
