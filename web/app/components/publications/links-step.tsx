import ExternalLink from 'lucide-react/icons/external-link'
import { useState } from 'react'
import { webAddressOf } from '#core/kernel/web-address.ts'
import { Field } from '../ui/field.tsx'
import { useFormState } from '../ui/form-context.ts'
import { Input } from '../ui/inputs.tsx'
import type { StepProps } from './publication-wizard.tsx'

const links = {
  apps: {
    intro: 'Where the digital edition is read. Its buyers find these links on their receipt.',
    fields: ['iosAppLink', 'androidAppLink', 'kindleAppLink', 'digitalEditionLink'],
  },
  social: {
    intro: 'Shown at the foot of the storefront.',
    fields: ['facebook', 'twitter', 'instagram', 'youtube'],
  },
} as const

/** Steps 5 and 6: external links, each with a link to test it before saving. */
export function LinksStep({ page }: StepProps) {
  const { values } = useFormState()
  const { intro, fields } = links[page.step === 'social' ? 'social' : 'apps']
  return (
    <>
      <p className="text-body text-ink-2">{intro}</p>
      {fields.map((name) => (
        <LinkField key={name} name={name} initial={values[name] ?? ''} />
      ))}
    </>
  )
}

function LinkField({ name, initial }: { name: string; initial: string }) {
  const [typed, setTyped] = useState(initial)
  const url = typed.trim() === '' ? null : webAddressOf(typed)
  return (
    <Field name={name}>
      {(control) => (
        <>
          <Input
            {...control}
            name={name}
            inputMode="url"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={500}
            defaultValue={initial}
            onChange={({ target }) => setTyped(target.value)}
            className="max-w-2xl"
          />
          {url && (
            <p className="mt-1 flex items-start gap-1.5 text-table text-ink-2">
              <ExternalLink size={14} aria-hidden="true" className="mt-0.75 shrink-0 text-muted" />
              <span className="wrap-anywhere">
                Opens{' '}
                <a href={url} target="_blank" rel="noopener noreferrer" className="link">
                  {url}
                  <span className="sr-only"> in a new tab</span>
                </a>
              </span>
            </p>
          )}
        </>
      )}
    </Field>
  )
}
