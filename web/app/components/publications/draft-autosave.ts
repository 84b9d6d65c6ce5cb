import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { WizardPage } from '../../http/publication-wizard.ts'

const pauseMs = 800
const draftUrl = '/addpublication/draft'

/**
 * Autosaves the form to the server: after a pause, on leaving a field, and finally when the page is closed. Submitting the form supersedes
 * it.
 */
export function useDraftAutosave(page: WizardPage) {
  const { publication, step } = page
  const [isSaving, setSaving] = useState(false)
  const [saved, setSaved] = useState<{ page: WizardPage; savedAt: string | null } | null>(null)
  const waiting = useRef<HTMLFormElement | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>()
  const running = useRef<AbortController>()
  const publicationId = String(publication?.id ?? 0)

  async function saveNow(): Promise<void> {
    clearTimeout(timer.current)
    const form = waiting.current
    waiting.current = null
    if (!form) return
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    setSaving(true)
    try {
      const body = draftData(form, publicationId, step)
      const response = await fetch(draftUrl, { method: 'POST', body, signal: controller.signal })
      if (!response.ok || response.redirected) return
      const { savedAt } = (await response.json()) as { savedAt: string | null }
      setSaved({ page, savedAt })
    } catch {
      // The next pause retries; the buttons submit everything anyway.
    } finally {
      if (!controller.signal.aborted) setSaving(false)
    }
  }

  useEffect(() => {
    function leave(): void {
      clearTimeout(timer.current)
      if (waiting.current) navigator.sendBeacon?.(draftUrl, draftData(waiting.current, publicationId, step))
      waiting.current = null
    }
    window.addEventListener('pagehide', leave)
    return () => {
      window.removeEventListener('pagehide', leave)
      leave()
    }
  }, [publicationId, step])

  return {
    isSaving: isSaving,
    /** When the draft was last saved: from the page load, or from a later autosave. */
    savedAt: saved?.page === page ? saved.savedAt : page.savedAt,
    /** Call on every input of the form. */
    onInput(event: FormEvent<HTMLFormElement>): void {
      waiting.current = event.currentTarget
      clearTimeout(timer.current)
      timer.current = setTimeout(saveNow, pauseMs)
    },
    onBlur: () => void saveNow(),
    /** Ctrl+S or Cmd+S saves the draft instead of the page. */
    onKeyDown(event: KeyboardEvent): void {
      if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      void saveNow()
    },
    /** Call when the form is submitted. */
    onSubmit(): void {
      clearTimeout(timer.current)
      waiting.current = null
    },
  }
}

function draftData(form: HTMLFormElement, publicationId: string, step: string): FormData {
  const typed = new FormData(form)
  typed.set('publicationId', publicationId)
  typed.set('step', step)
  return typed
}
