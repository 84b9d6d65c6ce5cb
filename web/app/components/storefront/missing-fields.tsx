import type { FieldPhrases } from '#core/kernel/phrases.ts'
import { useT } from '../../i18n/use-t.tsx'
import { goToField } from './go-to-field.ts'
import { type LabelledForm, labelOf } from './order-labels.ts'

interface MissingFieldsProps extends LabelledForm {
  id: string
  problems: FieldPhrases
}

/** The fields missing before the button can be used: each item links to its field, and screen readers announce each change. */
export function MissingFields({ id, problems, ...form }: MissingFieldsProps) {
  const t = useT()
  const items = Object.entries(problems)
  return (
    <div id={id} role="status" className="mt-3 text-body text-ink-2 empty:hidden">
      {items.length > 0 && (
        <>
          <p>{t('Still needed:')}</p>
          <ul className="mt-1 flex flex-wrap gap-x-3 gap-y-1">
            {items.map(([name, problem]) => (
              <li key={name}>
                <a
                  href={`#field-${name}`}
                  onClick={(event) => {
                    event.preventDefault()
                    goToField(name)
                  }}
                  className="inline-block min-h-6 text-ink underline underline-offset-3 hover:decoration-2"
                >
                  {labelOf(t, name, form)}
                </a>
                {problem !== 'Required' && <span> ({t.phrase(problem)})</span>}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}
