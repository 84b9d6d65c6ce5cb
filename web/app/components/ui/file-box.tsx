import { type DragEvent, type ReactNode, type RefObject, useEffect, useState } from 'react'
import type { ControlIds } from './field.tsx'

interface FileBoxProps {
  input: RefObject<HTMLInputElement>
  /** The field's attributes for the input: id, name and descriptions. */
  control: ControlIds & { name: string }
  accept: string
  /** Called when a file is chosen, dropped or removed; the input holds the file. */
  onChange: () => void
  padding: 'p-4' | 'p-5'
  /** Before the input: a preview. */
  before?: ReactNode
  /** After the input; `canDrop` is true once scripts run. */
  children: (canDrop: boolean) => ReactNode
}

/** A native file input with a drop zone for one file. Without JavaScript it is the input alone. */
export function FileBox({ input, control, accept, onChange, padding, before, children }: FileBoxProps) {
  const [isOver, setOver] = useState(false)
  const [canDrop, setCanDrop] = useState(false)

  useEffect(() => setCanDrop(true), [])

  function drop(event: DragEvent): void {
    event.preventDefault()
    setOver(false)
    if (!input.current || event.dataTransfer.files.length === 0) return
    // One file: the first if several are dropped.
    const dropped = new DataTransfer()
    for (const file of [...event.dataTransfer.files].slice(0, 1)) dropped.items.add(file)
    input.current.files = dropped.files
    // The same events as for a chosen file, so that the form notices the change.
    for (const event of ['input', 'change']) input.current.dispatchEvent(new Event(event, { bubbles: true }))
  }

  return (
    // Dropping is optional: the file input inside does the same by keyboard.
    // biome-ignore lint/a11y/noStaticElementInteractions: see above
    <div
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={`space-y-3 rounded-card border border-dashed ${padding} ${isOver ? 'border-primary bg-primary-soft' : 'border-control bg-surface'}`}
    >
      {before}
      <input
        {...control}
        ref={input}
        type="file"
        accept={accept}
        onChange={onChange}
        className="block w-full text-body text-ink-2 file:mr-3 file:min-h-10 file:cursor-pointer file:rounded-input file:border file:border-solid file:border-control file:bg-surface file:px-4 file:text-body file:font-medium file:text-ink hover:file:bg-subtle"
      />
      {children(canDrop)}
    </div>
  )
}
