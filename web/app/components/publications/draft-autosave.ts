import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { WizardPage } from '../../http/publication-wizard.ts'
import { trackUnsaved } from './track-unsaved.ts'

const pauseMs = 800
const draftUrl = '/addpublication/draft'

/**
 * Autosaves the form to the server: after a pause in typing, when a field is left, and when the page is closed. A form that could not be saved is
 * sent again at the next of these.
 */
export function useDraftAutosave(page: WizardPage) {
  const { publication, step } = page
  const [isSaving, setSaving] = useState(false)
  const [saved, setSaved] = useState<{ page: WizardPage; savedAt: string | null } | null>(null)
  const [unsaved] = useState(trackUnsaved<HTMLFormElement>)
  const timer = useRef<ReturnType<typeof setTimeout>>()
  const publicationId = String(publication?.id ?? 0)

  async function saveNow(): Promise<void> {
    clearTimeout(timer.current)
    await unsaved.send(async (form, signal) => {
      setSaving(true)
      try {
        const response = await fetch(draftUrl, { method: 'POST', body: draftData(form, publicationId, step), signal })
        if (!response.ok || response.redirected) return false
        const { savedAt } = (await response.json()) as { savedAt: string | null }
        setSaved({ page, savedAt })
        return true
      } finally {
        if (!signal.aborted) setSaving(false)
      }
    })
  }

  useEffect(() => {
    function saveOnLeave(): void {
      clearTimeout(timer.current)
      const form = unsaved.take()
      if (form) navigator.sendBeacon?.(draftUrl, draftData(form, publicationId, step))
    }
    window.addEventListener('pagehide', saveOnLeave)
    return () => {
      window.removeEventListener('pagehide', saveOnLeave)
      saveOnLeave()
    }
  }, [publicationId, step, unsaved])

  return {
    isSaving,
    /** When the draft was last saved: from the page load, or from a later autosave. */
    savedAt: saved?.page === page ? saved.savedAt : page.savedAt,
    /** Call on every input of the form. */
    onInput(event: FormEvent<HTMLFormElement>): void {
      unsaved.mark(event.currentTarget)
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
    /** Call when the form is submitted or the draft is discarded. */
    cancel(): void {
      clearTimeout(timer.current)
      unsaved.drop()
      setSaving(false)
    },
  }
}

function draftData(form: HTMLFormElement, publicationId: string, step: string): FormData {
  const data = new FormData(form)
  data.set('publicationId', publicationId)
  data.set('step', step)
  return data
}
