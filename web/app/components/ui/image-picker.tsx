import { useEffect, useRef, useState } from 'react'
import { type ImageKind, imageLimits, imageProblems, imageTypes } from '#core/images/image.rules.ts'
import { Button } from './button.tsx'
import { Field } from './field.tsx'
import { FileBox } from './file-box.tsx'
import { Checkbox } from './inputs.tsx'

interface ImagePickerProps {
  /** The file's name in the form, which must be `multipart/form-data`. The checkbox that removes the picture is `<name>Remove`. */
  name: string
  label: string
  hint?: string
  kind: ImageKind
  /** The address of the stored picture. */
  current: string | null
  isRequired?: boolean
}

const suggestions: Record<ImageKind, string> = {
  cover: 'At least 390 px high for best quality.',
  logo: 'At least 80 px high for best quality, on a white or transparent background.',
}

/** The largest size in the storefront; the aspect ratio is kept. */
const frames: Record<ImageKind, string> = { cover: 'max-h-[390px] max-w-full', logo: 'max-h-20 max-w-full' }

interface Choice {
  file: File
  previewUrl: string
}

/**
 * Lets the user choose or remove a picture, previews it immediately and checks type and size before upload. The stored picture is shown until the
 * form is saved; without JavaScript it is a native file input.
 */
export function ImagePicker({ name, label, hint, kind, current, isRequired }: ImagePickerProps) {
  const input = useRef<HTMLInputElement>(null)
  const [choice, setChoice] = useState<Choice | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [isRemoved, setRemoved] = useState(false)
  const [size, setSize] = useState('')

  useEffect(() => {
    if (choice) return () => URL.revokeObjectURL(choice.previewUrl)
  }, [choice])
  function updateFromInput(): void {
    const file = input.current?.files?.[0] ?? null
    const fileProblem = file && problemOf(file)
    setSize('')
    setProblem(fileProblem)
    if (fileProblem) clear()
    setChoice(file && !fileProblem ? { file, previewUrl: URL.createObjectURL(file) } : null)
  }

  /** Empties the input, with an input event as for a chosen file, so that the form notices the change. */
  function clear(): void {
    if (!input.current) return
    input.current.value = ''
    input.current.dispatchEvent(new Event('input', { bubbles: true }))
  }

  function undo(): void {
    clear()
    updateFromInput()
    input.current?.focus()
  }

  const shownImage = choice?.previewUrl ?? (isRemoved ? null : current)
  return (
    <Field
      label={label}
      name={name}
      isRequired={isRequired}
      hint={`${hint ? `${hint} ` : ''}${suggestions[kind]} JPEG, PNG, WebP, GIF or AVIF, at most 5 MB.`}
      error={problem ?? undefined}
    >
      {(control) => (
        <FileBox
          input={input}
          control={{ ...control, name }}
          accept={imageTypes.join(',')}
          onChange={updateFromInput}
          padding="p-4"
          before={
            shownImage && (
              <img
                src={shownImage}
                alt={choice ? `Preview of ${choice.file.name}` : `Current ${label.toLowerCase()}`}
                onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
                  setSize(choice ? `, ${naturalWidth} × ${naturalHeight} px` : '')
                }
                onError={() => {
                  if (!choice) return
                  undo()
                  setProblem(imageProblems.damaged)
                }}
                className={`${frames[kind]} border border-line bg-white object-contain`}
              />
            )
          }
        >
          {(canDrop) => (
            <>
              <p role="status" className="text-table text-ink-2 empty:hidden">
                {choice ? `${sizeOf(choice.file)}${size}. Not saved yet.` : canDrop && 'Or drop an image here.'}
              </p>
              {choice && (
                <Button size="small" onClick={undo}>
                  {current ? 'Keep the current image' : 'Remove'}
                </Button>
              )}
              {current && !choice && (
                <Checkbox
                  name={`${name}Remove`}
                  value="yes"
                  label="Remove the image"
                  checked={isRemoved}
                  onChange={({ target }) => setRemoved(target.checked)}
                />
              )}
            </>
          )}
        </FileBox>
      )}
    </Field>
  )
}

/** Checks that need no decoding; the server checks the bytes. */
function problemOf({ type, size }: File): string | null {
  if (!imageTypes.includes(type)) return imageProblems.wrongType
  return size > imageLimits.bytes ? imageProblems.tooLarge : null
}

function sizeOf({ size }: File): string {
  return size < 1024 * 1024 ? `${Math.max(1, Math.round(size / 1024))} kB` : `${(size / 1024 / 1024).toFixed(1)} MB`
}
