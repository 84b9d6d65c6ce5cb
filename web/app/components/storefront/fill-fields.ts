/** Sets the values of the fields in an element as if they had been typed, so that listeners get input events. */
export function fillFields(container: Element, values: Readonly<Record<string, string>>): void {
  // React overrides the setter on the element; typing uses the prototype's.
  const write = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
  for (const input of container.querySelectorAll<HTMLInputElement>('input[name]')) {
    const value = values[input.name]
    if (value === undefined || input.value === value) continue
    write?.call(input, value)
    input.dispatchEvent(new Event('input', { bubbles: true }))
  }
}
