import { useLocation } from '@remix-run/react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { expectResponse, type LostReason } from './lost-connection.ts'

interface SendingState {
  isSent: boolean
  response: unknown
  /** Called as soon as the response is known to be a redirect, before the page it leads to is fetched. */
  onRedirect: () => void
}

/** The state of the submission: in progress, or not delivered. Offline, it is submitted again when the connection is back. */
export function useSending(form: RefObject<HTMLFormElement>, { isSent, response, onRedirect }: SendingState) {
  const { key } = useLocation()
  const [lost, setLost] = useState<LostReason | null>(null)
  const submitter = useRef<HTMLElement | null>(null)
  const isSubmitting = useRef(false)
  // A busy page may render the response, or the page after it, without having rendered the submitting state.
  // biome-ignore lint/correctness/useExhaustiveDependencies: checked again with each response
  useEffect(() => {
    if (isSent) return
    isSubmitting.current = false
    setLost(null)
  }, [isSent, response, key])
  useEffect(() => {
    if (lost !== 'offline') return
    const sendAgain = () => form.current?.requestSubmit(submitter.current)
    window.addEventListener('online', sendAgain)
    return () => window.removeEventListener('online', sendAgain)
  }, [lost, form])
  return {
    lost,
    isBusy: () => isSubmitting.current,
    /** Called with the submit button when the form is submitted. */
    expect(button: HTMLElement | null) {
      submitter.current = button
      isSubmitting.current = true
      setLost(null)
      expectResponse({
        onLost(why) {
          isSubmitting.current = false
          setLost(why)
        },
        onRedirect,
      })
    },
  }
}
