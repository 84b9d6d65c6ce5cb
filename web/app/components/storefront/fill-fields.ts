/** Sets the values of a block's fields as if they had been typed, so that listeners get input events. */
export function fillFields(block: Element, values: Readonly<Record<string, string>>): void {
  // React overrides the setter on the element; typing uses the prototype's.
  const write = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
  for (const box of block.querySelectorAll<HTMLInputElement>('input[name]')) {
    const value = values[box.name]
    if (value === undefined || box.value === value) continue
    write?.call(box, value)
    box.dispatchEvent(new Event('input', { bubbles: true }))
  }
}
