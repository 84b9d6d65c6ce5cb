import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { WizardPage } from '../../http/publication-wizard.ts'

const pauseMs = 800
const draftUrl = '/addpublication/draft'

/**
 * Autosaves the form to the server: after a pause in typing, when a field is left, and when the page is closed. Submitting the form cancels a
 * pending autosave.
 */
export function useDraftAutosave(page: WizardPage) {
  const { publication, step } = page
  const [isSaving, setSaving] = useState(false)
  const [saved, setSaved] = useState<{ page: WizardPage; savedAt: string | null } | null>(null)
  const unsavedForm = useRef<HTMLFormElement | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>()
  const request = useRef<AbortController>()
  const publicationId = String(publication?.id ?? 0)

  async function saveNow(): Promise<void> {
    clearTimeout(timer.current)
    const form = unsavedForm.current
    unsavedForm.current = null
    if (!form) return
    request.current?.abort()
    const controller = new AbortController()
    request.current = controller
    setSaving(true)
    try {
      const body = draftData(form, publicationId, step)
      const response = await fetch(draftUrl, { method: 'POST', body, signal: controller.signal })
      if (!response.ok || response.redirected) return
      const { savedAt } = (await response.json()) as { savedAt: string | null }
      setSaved({ page, savedAt })
    } catch {
      // Retried at the next pause in typing; the buttons submit all fields anyway.
    } finally {
      if (!controller.signal.aborted) setSaving(false)
    }
  }

  useEffect(() => {
    function saveOnLeave(): void {
      clearTimeout(timer.current)
      if (unsavedForm.current) navigator.sendBeacon?.(draftUrl, draftData(unsavedForm.current, publicationId, step))
      unsavedForm.current = null
    }
    window.addEventListener('pagehide', saveOnLeave)
    return () => {
      window.removeEventListener('pagehide', saveOnLeave)
      saveOnLeave()
    }
  }, [publicationId, step])

  return {
    isSaving,
    /** When the draft was last saved: from the page load, or from a later autosave. */
    savedAt: saved?.page === page ? saved.savedAt : page.savedAt,
    /** Call on every input of the form. */
    onInput(event: FormEvent<HTMLFormElement>): void {
      unsavedForm.current = event.currentTarget
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
      unsavedForm.current = null
    },
  }
}

function draftData(form: HTMLFormElement, publicationId: string, step: string): FormData {
  const data = new FormData(form)
  data.set('publicationId', publicationId)
  data.set('step', step)
  return data
}
