import { type RefObject, useEffect, useState } from 'react'
import { useT } from '../../i18n/use-t.tsx'
import { useFormState } from './form-context.ts'

/** Says that the submission was not delivered, or that this is not known, and what happens next. */
export function LostNote({ isFallback = false }: { isFallback?: boolean }) {
  const t = useT()
  const { lost, isRepeatable } = useFormState()
  if (!lost) return null
  return (
    <p
      role="alert"
      data-lost-note={isFallback ? undefined : ''}
      className="col-span-full basis-full text-body font-medium text-danger"
    >
      {lost === 'gone'
        ? t('This no longer exists, so nothing was saved. What you typed is still here.')
        : lost === 'offline'
          ? t('You are offline. Nothing was lost: this is sent as soon as the connection is back.')
          : isRepeatable
            ? t('The server could not be reached. Nothing was lost: please press the button again.')
            : t(
                'The server could not be reached. What you sent may have arrived: check before you press the button again.',
              )}
    </p>
  )
}

/** The same note at the end of a form whose buttons do not show it. Otherwise nothing: an empty element would take up space in the form's layout. */
export function FallbackLostNote({ form }: { form: RefObject<HTMLFormElement> }) {
  const { lost } = useFormState()
  const [isNeeded, setNeeded] = useState(false)
  useEffect(() => {
    setNeeded(lost !== null && !form.current?.querySelector('[data-lost-note]'))
  }, [lost, form])
  return isNeeded && <LostNote isFallback />
}
