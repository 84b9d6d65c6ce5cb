import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { WizardPage } from '../../http/publication-wizard.ts'

const pauseMs = 800
const address = '/addpublication/draft'

/**
 * Keeps what is typed on the server while one types: after a pause, on leaving a field, and as a last resort when the page itself goes
 * away. What a button of the form sends supersedes it.
 */
export function useDraftAutosave(page: WizardPage) {
  const { publication, step } = page
  const [isKeeping, setKeeping] = useState(false)
  const [kept, setKept] = useState<{ page: WizardPage; savedAt: string | null } | null>(null)
  const waiting = useRef<HTMLFormElement | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>()
  const running = useRef<AbortController>()
  const publicationId = String(publication?.id ?? 0)

  async function keepNow(): Promise<void> {
    clearTimeout(timer.current)
    const form = waiting.current
    waiting.current = null
    if (!form) return
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    setKeeping(true)
    try {
      const body = typedIn(form, publicationId, step)
      const response = await fetch(address, { method: 'POST', body, signal: controller.signal })
      if (!response.ok || response.redirected) return
      const { savedAt } = (await response.json()) as { savedAt: string | null }
      setKept({ page, savedAt })
    } catch {
      // The next pause tries again; the buttons send everything anyway.
    } finally {
      if (!controller.signal.aborted) setKeeping(false)
    }
  }

  useEffect(() => {
    function leave(): void {
      clearTimeout(timer.current)
      if (waiting.current) navigator.sendBeacon?.(address, typedIn(waiting.current, publicationId, step))
      waiting.current = null
    }
    window.addEventListener('pagehide', leave)
    return () => {
      window.removeEventListener('pagehide', leave)
      leave()
    }
  }, [publicationId, step])

  return {
    isKeeping,
    /** What the server said last: to the page as it was loaded, or to what was typed since. */
    savedAt: kept?.page === page ? kept.savedAt : page.savedAt,
    /** For the form: something was typed. */
    onInput(event: FormEvent<HTMLFormElement>): void {
      waiting.current = event.currentTarget
      clearTimeout(timer.current)
      timer.current = setTimeout(keepNow, pauseMs)
    },
    onBlur: () => void keepNow(),
    /** Ctrl+S or Cmd+S, which would save the page as a file. */
    onKeyDown(event: KeyboardEvent): void {
      if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      void keepNow()
    },
    /** For the form: it is being sent whole. */
    onSubmit(): void {
      clearTimeout(timer.current)
      waiting.current = null
    },
  }
}

function typedIn(form: HTMLFormElement, publicationId: string, step: string): FormData {
  const typed = new FormData(form)
  typed.set('publicationId', publicationId)
  typed.set('step', step)
  return typed
}
