/** Why the buttons of a reader's page are disabled: they reload the page, which would lose unsaved changes. */
export function SaveFirst({ id }: { id: string }) {
  return (
    <p id={id} className="mt-1 text-caption text-muted">
      Save or discard your changes first.
    </p>
  )
}

/** Disables a button while there are unsaved changes; `id` is the id of the element with the reason. */
export function disabledWhile(isDirty: boolean, id: string) {
  return isDirty ? { isDisabled: true, 'aria-describedby': id } : {}
}
