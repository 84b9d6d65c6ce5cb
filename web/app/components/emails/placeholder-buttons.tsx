import { Button } from '../ui/button.tsx'
import { fieldId } from '../ui/field.tsx'

/** Inserts a placeholder at the cursor. */
export function PlaceholderButtons({ names, field }: { names: readonly string[]; field: string }) {
  const insert = (name: string) => {
    const textarea = document.getElementById(fieldId(field)) as HTMLTextAreaElement | null
    if (!textarea) return
    textarea.focus()
    textarea.setRangeText(`{{${name}}}`, textarea.selectionStart, textarea.selectionEnd, 'end')
    textarea.dispatchEvent(new Event('input', { bubbles: true }))
  }
  return (
    <fieldset>
      <legend className="text-body font-medium text-ink-2">Insert</legend>
      <ul className="mt-1.5 flex flex-wrap gap-2">
        {names.map((name) => (
          <li key={name}>
            <Button size="small" onClick={() => insert(name)}>
              {`{{${name}}}`}
            </Button>
          </li>
        ))}
      </ul>
    </fieldset>
  )
}
