/** The name and value of every control that would be submitted, in document order; for a file, its name and size. */
export type FormContents = readonly (readonly [name: string, value: string])[]

export function contentsOf(form: HTMLFormElement): FormContents {
  return [...new FormData(form)].map(([name, value]) => [
    name,
    typeof value === 'string' ? value.trim() : `${value.name} ${value.size}`,
  ])
}

/** The contents of a field; a field with several controls is matched by their prefix: `products` for `products.print`. */
export function contentOf(contents: FormContents, field: string): string {
  return JSON.stringify(contents.filter(([name, value]) => value !== '' && `${name}.`.startsWith(`${field}.`)))
}

/** Whether any control of a form differs from its initial value. */
export function formDiffers(form: HTMLFormElement): boolean {
  return [...form.elements].some((control) => {
    if (control instanceof HTMLSelectElement) {
      // A select without a selected option uses its first.
      const isMarked = [...control.options].some((option) => option.defaultSelected)
      return isMarked
        ? [...control.options].some((option) => option.selected !== option.defaultSelected)
        : control.selectedIndex > 0
    }
    if (control instanceof HTMLTextAreaElement) return control.value !== control.defaultValue
    if (!(control instanceof HTMLInputElement)) return false
    return control.type === 'checkbox' || control.type === 'radio'
      ? control.checked !== control.defaultChecked
      : control.value !== control.defaultValue
  })
}

/** Writes contents into a form as if they had been typed, so that listeners get input events. Files and hidden fields are left out. */
export function fillForm(form: HTMLFormElement, contents: FormContents): void {
  for (const control of form.elements) {
    if (control instanceof HTMLInputElement && ['checkbox', 'radio'].includes(control.type)) {
      const isChosen = contents.some(([name, value]) => name === control.name && value === control.value)
      if (control.checked !== isChosen && control.name !== '' && (isChosen || control.type === 'checkbox'))
        control.click()
    } else if (isTyped(control)) {
      const typed = contents.find(([name]) => name === control.name)?.[1]
      if (typed !== undefined && typed !== control.value) write(control, typed)
    }
  }
}

type TypedControl = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

function isTyped(control: Element): control is TypedControl {
  if (control instanceof HTMLTextAreaElement || control instanceof HTMLSelectElement) return true
  return control instanceof HTMLInputElement && !['hidden', 'file', 'password', 'submit'].includes(control.type)
}

function write(control: TypedControl, value: string): void {
  // React overrides the setter on the element; typing uses the prototype's.
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value')?.set?.call(control, value)
  for (let details = control.closest('details'); details; details = details.parentElement?.closest('details') ?? null)
    details.open = true
  control.dispatchEvent(new Event('input', { bubbles: true }))
  control.dispatchEvent(new Event('change', { bubbles: true }))
}
