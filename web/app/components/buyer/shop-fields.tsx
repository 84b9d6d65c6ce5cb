import type { ComponentProps, ReactNode } from 'react'
import { ShopButton } from '../storefront/shop-button.tsx'
import { useFormState } from '../ui/form-context.ts'
import { PasswordField, TextField } from '../ui/form-fields.tsx'
import { LostNote } from '../ui/lost-note.tsx'

/** Form fields and buttons of an account page in the storefront's look; the form's behaviour is shared (`../ui/form.tsx`). */

export function ShopTextField({ className = '', ...fieldProps }: ComponentProps<typeof TextField>) {
  return <TextField {...fieldProps} className={`h-12! ${className}`} />
}

export function EmailField({ label }: { label: string }) {
  return (
    <ShopTextField
      name="email"
      label={label}
      isRequired
      type="email"
      inputMode="email"
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={254}
    />
  )
}

export function ShopPasswordField(props: ComponentProps<typeof PasswordField>) {
  return <PasswordField maxLength={200} isRequired className="h-12!" {...props} />
}

interface ShopSubmitProps {
  isDisabled?: boolean
  /** Whether work that precedes the submission is in progress. */
  isBusy?: boolean
  children: ReactNode
}

/** The submit button, with a notice below it when the connection is lost. */
export function ShopSubmit({ isDisabled = false, isBusy = false, children }: ShopSubmitProps) {
  const { isPending } = useFormState()
  return (
    <div className="grid gap-3">
      <ShopButton isPending={isPending || isBusy} isDisabled={isDisabled}>
        {children}
      </ShopButton>
      <LostNote />
    </div>
  )
}
