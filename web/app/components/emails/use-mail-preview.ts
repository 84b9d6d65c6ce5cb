import { useEffect, useRef, useState } from 'react'
import type { MailPreview } from '#core/emails/preview-mail.ts'

/** Debounce of the preview, in milliseconds. */
const pauseMs = 250

/**
 * The preview of an email while it is being written: rendered by the server after each pause in typing, or by the page's last action.
 * A refused save renders no preview, so the preview of the typed text stays.
 */
export function useMailPreview(stored: MailPreview, rendered: MailPreview | undefined) {
  const [preview, setPreview] = useState(rendered)
  const [isStale, setStale] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>()
  const request = useRef<AbortController>()
  useEffect(() => {
    if (rendered) setPreview(rendered)
  }, [rendered])
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      request.current?.abort()
    },
    [],
  )

  async function fetchPreview(form: HTMLFormElement): Promise<void> {
    request.current?.abort()
    const controller = new AbortController()
    request.current = controller
    try {
      const response = await fetch('/emailtemplates/preview', {
        method: 'POST',
        body: new FormData(form),
        signal: controller.signal,
      })
      if (response.ok && !response.redirected) setPreview((await response.json()) as MailPreview)
    } catch {
      // Without a response the preview stays unchanged; the text is validated when it is saved.
    } finally {
      if (!controller.signal.aborted) setStale(false)
    }
  }
  return {
    preview: preview ?? stored,
    isStale,
    onTyped(form: HTMLFormElement) {
      setStale(true)
      clearTimeout(timer.current)
      timer.current = setTimeout(() => void fetchPreview(form), pauseMs)
    },
  }
}
