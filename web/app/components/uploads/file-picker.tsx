import { useEffect, useRef, useState } from 'react'
import { fileNameProblem } from '#core/imports/file-name.rules.ts'
import { Field } from '../ui/field.tsx'
import { FileBox } from '../ui/file-box.tsx'
import { FileSize } from '../ui/formats.tsx'

interface FilePickerProps {
  label: string
  hint?: string
  maxBytes: number
  error?: string | undefined
  /** The chosen file if it is valid; null otherwise, with the error. */
  onChoose: (file: File | null, problem: string | null) => void
}

/** Chooses or drops a CSV file and checks it immediately. The field's name is `file`. Without JavaScript it is a native file input. */
export function FilePicker({ label, hint, maxBytes, error, onChoose }: FilePickerProps) {
  const input = useRef<HTMLInputElement>(null)
  const [chosen, setChosen] = useState<File | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [isTouched, setTouched] = useState(false)

  // Shows a new error from the server again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the message is what changes
  useEffect(() => setTouched(false), [error])

  function updateFromInput(): void {
    const file = input.current?.files?.[0] ?? null
    const fileProblem = file && problemOf(file, maxBytes)
    setTouched(true)
    setProblem(fileProblem)
    setChosen(fileProblem ? null : file)
    onChoose(fileProblem ? null : file, fileProblem)
  }

  return (
    <Field
      label={label}
      name="file"
      isRequired
      isUnmarked
      {...(hint ? { hint } : {})}
      error={problem ?? (isTouched ? undefined : error)}
    >
      {(control) => (
        <FileBox
          input={input}
          control={{ ...control, name: 'file' }}
          accept=".csv,text/csv"
          onChange={updateFromInput}
          padding="p-5"
        >
          {(canDrop) => (
            <p role="status" className="text-table text-ink-2 empty:hidden">
              {chosen ? <FileSize bytes={chosen.size} /> : canDrop && 'Or drop the file here.'}
            </p>
          )}
        </FileBox>
      )}
    </Field>
  )
}

function problemOf(file: File, maxBytes: number): string | null {
  const fileProblem = fileNameProblem(file.name)
  if (fileProblem) return fileProblem
  if (file.size === 0) return 'The file is empty'
  return file.size > maxBytes
    ? `The file is too large: at most ${Math.floor(maxBytes / 1024 / 1024)} MB can be uploaded`
    : null
}
