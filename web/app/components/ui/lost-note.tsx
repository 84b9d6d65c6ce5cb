import { useEffect, useRef, useState } from 'react'
import { useT } from '../../i18n/use-t.tsx'
import { useFormState } from './form-context.ts'

/** Says that the submission was not delivered, or that this is not known, and what happens next. */
export function LostNote() {
  const t = useT()
  const { lost, isRepeatable } = useFormState()
  if (!lost) return null
  return (
    <p role="alert" data-lost-note="" className="basis-full text-body font-medium text-danger">
      {lost === 'gone'
        ? t('This no longer exists, so nothing was saved. What you typed is still here.')
        : lost === 'offline'
          ? t('You are offline. Nothing was lost: this is sent as soon as the connection is back.')
          : isRepeatable
            ? t('The server could not be reached. Nothing was lost: please press the button again.')
            : t(
                'The server could not be reached. What you sent may have arrived: look before you press the button again.',
              )}
    </p>
  )
}

/** The same at the end of a form whose buttons do not show it. */
export function FallbackLostNote() {
  const { lost } = useFormState()
  const [isNeeded, setNeeded] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const notes = place.current?.closest('form')?.querySelectorAll('[data-lost-note]') ?? []
    setNeeded(lost !== null && ![...notes].some((note) => !place.current?.contains(note)))
  }, [lost])
  return (
    <div ref={place} className="basis-full empty:hidden">
      {isNeeded && <LostNote />}
    </div>
  )
}
