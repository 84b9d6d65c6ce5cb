import { type CSSProperties, useEffect, useState } from 'react'
import { themeOf } from '#core/pricing/theme.rules.ts'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/inputs.tsx'

const pattern = /^#[0-9a-f]{6}$/i

interface ColourFieldProps {
  name: string
  initial: string
  title: string
}

/** The publication's colour as a hex value and a colour picker, with a preview of the storefront. */
export function ColourField({ name, initial, title }: ColourFieldProps) {
  const [color, setColor] = useState(initial)
  // The colour picker needs JavaScript, so it is shown only once the page is hydrated.
  const [isHydrated, setHydrated] = useState(false)
  useEffect(() => setHydrated(true), [])
  const isColour = pattern.test(color.trim())
  const theme = themeOf(color)
  return (
    <div className="grid gap-5 md:grid-cols-2">
      <Field name={name} isRequired hint="For example, #1F2933. The background and the shade are derived from it.">
        {(control) => (
          <>
            <div className="flex items-center gap-3">
              <Input
                {...control}
                name={name}
                value={color}
                maxLength={7}
                autoComplete="off"
                spellCheck={false}
                onChange={({ target }) => setColor(target.value)}
                className="numeric max-w-32"
              />
              {isHydrated && (
                <input
                  type="color"
                  aria-label="Pick the colour"
                  value={theme.color.toLowerCase()}
                  onChange={({ target }) => setColor(target.value.toUpperCase())}
                  className="h-10 w-14 cursor-pointer rounded-input border border-control bg-surface p-1"
                />
              )}
            </div>
            <p className="mt-1.5 text-table text-ink-2" role="status">
              {isColour ? `Button text will be ${theme.label === '#FFFFFF' ? 'white' : 'black'} on this colour` : ''}
            </p>
            <dl className="mt-2 flex flex-wrap gap-4 text-table text-ink-2">
              <Sample label="Background" color={theme.background} />
              <Sample label="Shade" color={theme.shade} />
            </dl>
          </>
        )}
      </Field>
      <MiniStorefront title={title} theme={theme} />
    </div>
  )
}

function Sample({ label, color }: { label: string; color: string }) {
  return (
    <div className="flex items-center gap-2">
      <span aria-hidden="true" className="size-5 rounded-input border border-line" style={{ backgroundColor: color }} />
      <dt>{label}</dt>
      <dd className="numeric">{color}</dd>
    </div>
  )
}

/** A small preview of the storefront's colours; not interactive. */
function MiniStorefront({ title, theme }: { title: string; theme: ReturnType<typeof themeOf> }) {
  const button: CSSProperties = {
    backgroundColor: theme.color,
    color: theme.label,
    borderColor: theme.needsEdge ? 'var(--color-ink)' : theme.color,
  }
  return (
    <figure className="min-w-0">
      <figcaption className="text-body font-medium text-ink-2">How the storefront will look</figcaption>
      <div
        aria-hidden="true"
        className="mt-1.5 overflow-hidden rounded-card border border-line"
        style={{ backgroundColor: theme.background }}
      >
        <div className="border-t-4 bg-surface px-3 py-2" style={{ borderColor: theme.color }}>
          <p className="truncate font-serif text-body font-semibold">{title || 'Your publication'}</p>
        </div>
        <div className="p-3">
          <div className="card space-y-2 p-3">
            <p className="flex justify-between text-table">
              <span>Print, one year</span>
              <span className="numeric font-semibold">£29.99</span>
            </p>
            <p className="rounded-input border py-1.5 text-center text-table font-semibold" style={button}>
              Pay £29.99
            </p>
          </div>
        </div>
      </div>
    </figure>
  )
}
