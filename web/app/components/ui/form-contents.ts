/** Name and value of every control that would be sent, in the order of the page; of a file its name and size. */
export type FormContents = readonly (readonly [name: string, value: string])[]

export function contentsOf(form: HTMLFormElement): FormContents {
  return [...new FormData(form)].map(([name, value]) => [
    name,
    typeof value === 'string' ? value.trim() : `${value.name} ${value.size}`,
  ])
}

/** What a field holds; a field of several controls goes by what their names begin with: `products` for `products.print`. */
export function contentOf(contents: FormContents, field: string): string {
  return JSON.stringify(contents.filter(([name, value]) => value !== '' && `${name}.`.startsWith(`${field}.`)))
}

/** Whether any control of a form holds something else than the page came with. */
export function formDiffers(form: HTMLFormElement): boolean {
  return [...form.elements].some((control) => {
    if (control instanceof HTMLSelectElement) {
      // A list without a marked choice begins with its first.
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

/** Writes contents back into a form as if they were typed, so that everything that listens to it knows. Files and hidden fields stay. */
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

type Typed = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

function isTyped(control: Element): control is Typed {
  if (control instanceof HTMLTextAreaElement || control instanceof HTMLSelectElement) return true
  return control instanceof HTMLInputElement && !['hidden', 'file', 'password', 'submit'].includes(control.type)
}

function write(control: Typed, value: string): void {
  // React keeps its own setter on the element; the browser's is what typing uses.
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value')?.set?.call(control, value)
  for (let fold = control.closest('details'); fold; fold = fold.parentElement?.closest('details') ?? null)
    fold.open = true
  control.dispatchEvent(new Event('input', { bubbles: true }))
  control.dispatchEvent(new Event('change', { bubbles: true }))
}
