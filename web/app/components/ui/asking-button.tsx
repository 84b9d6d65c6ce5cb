import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import { ConfirmDialog } from './dialog.tsx'
import type { useForm } from './form.tsx'

/** The button of a form that asks in a window first; where no script runs it sends at once. */
export function AskingButton({
  form,
  label,
  title,
  text,
  isDangerous = false,
  size = 'medium',
  blockedBy,
}: {
  form: ReturnType<typeof useForm>
  label: string
  title: string
  text: ReactNode
  isDangerous?: boolean
  size?: 'small' | 'medium'
  /** It cannot be pressed now: the id of the text that says why. */
  blockedBy?: string | undefined
}) {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button
        type="submit"
        size={size}
        isPending={form.isPending}
        {...(blockedBy === undefined ? {} : { isDisabled: true, 'aria-describedby': blockedBy })}
        onClick={(event) => {
          event.preventDefault()
          setAsking(true)
        }}
      >
        {label}
      </Button>
      <ConfirmDialog
        title={title}
        text={text}
        confirmLabel={label}
        isOpen={isAsking}
        isDangerous={isDangerous}
        onCancel={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false)
          form.ref.current?.requestSubmit()
        }}
      />
    </>
  )
}
