import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import { ConfirmDialog } from './dialog.tsx'
import type { useForm } from './form.tsx'

/** A submit button with a confirmation dialog; without JavaScript it submits immediately. */
export function ConfirmButton({
  form,
  label,
  about,
  title,
  text,
  isDangerous = false,
  size = 'medium',
  blockedBy,
}: {
  form: ReturnType<typeof useForm>
  label: string
  /** What the action applies to, read by screen readers after the label if a page has several such buttons. */
  about?: string
  title: string
  text: ReactNode
  isDangerous?: boolean
  size?: 'small' | 'medium'
  /** Disables the button: the id of the text that says why. */
  blockedBy?: string | undefined
}) {
  const [isConfirming, setConfirming] = useState(false)
  return (
    <>
      <Button
        type="submit"
        size={size}
        isPending={form.isPending}
        {...(blockedBy === undefined ? {} : { isDisabled: true, 'aria-describedby': blockedBy })}
        onClick={(event) => {
          event.preventDefault()
          setConfirming(true)
        }}
      >
        {label}
        {about && <span className="sr-only">{`: ${about}`}</span>}
      </Button>
      <ConfirmDialog
        title={title}
        text={text}
        confirmLabel={label}
        isOpen={isConfirming}
        isDangerous={isDangerous}
        onCancel={() => setConfirming(false)}
        onConfirm={() => {
          setConfirming(false)
          form.ref.current?.requestSubmit()
        }}
      />
    </>
  )
}
