import { TextField } from '../ui/form-fields.tsx'

/** Name and email, in every form about a person. */
export function PersonFields({ hasEmail = true }: { hasEmail?: boolean }) {
  return (
    <>
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField name="firstName" maxLength={100} isRequired />
        <TextField name="lastName" maxLength={100} isRequired />
      </div>
      {hasEmail && (
        <TextField
          name="email"
          type="email"
          spellCheck={false}
          maxLength={254}
          isRequired
          hint="The user logs in with it."
        />
      )}
    </>
  )
}
