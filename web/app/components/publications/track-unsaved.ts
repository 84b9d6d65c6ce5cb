/** Tracks what is typed until it is saved: input that could not be sent, or whose request is not answered yet, is still unsaved. */
export function trackUnsaved<Form>() {
  // A new object for each input: what is typed while a request is sent is not saved by it.
  let input: { form: Form } | null = null
  let request: { input: { form: Form }; controller: AbortController } | null = null
  return {
    mark(form: Form): void {
      input = { form }
    },
    /** Sends unsaved input, unless it is being sent already. `save` returns whether it was stored. */
    async send(save: (form: Form, signal: AbortSignal) => Promise<boolean>): Promise<void> {
      if (!input || request?.input === input) return
      request?.controller.abort()
      const current = { input, controller: new AbortController() }
      request = current
      try {
        const isStored = await save(input.form, current.controller.signal)
        if (isStored && input === current.input) input = null
      } catch {
        // It stays unsaved; the buttons submit all fields anyway.
      } finally {
        if (request === current) request = null
      }
    },
    /** Returns the form if it has unsaved input, which the caller saves. */
    take(): Form | null {
      const form = input?.form ?? null
      input = null
      return form
    },
    /** Forgets unsaved input. A request under way is aborted: it might reach the server after the form that was submitted, and store older input. */
    drop(): void {
      input = null
      request?.controller.abort()
    },
  }
}
