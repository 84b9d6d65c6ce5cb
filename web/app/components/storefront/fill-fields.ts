/** Writes values into the boxes of a block as if they had been typed, so that everything that listens to a form knows of it. */
export function fillFields(block: Element, values: Readonly<Record<string, string>>): void {
  // React keeps its own setter on the element; the browser's is what typing uses.
  const write = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
  for (const box of block.querySelectorAll<HTMLInputElement>('input[name]')) {
    const value = values[box.name]
    if (value === undefined || box.value === value) continue
    write?.call(box, value)
    box.dispatchEvent(new Event('input', { bubbles: true }))
  }
}
