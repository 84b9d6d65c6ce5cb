import { ConfirmButton } from '../ui/confirm-button.tsx'
import { Form, type Refusal, useForm } from '../ui/form.tsx'

interface KeyButtonsProps {
  id: number
  publicationId: number
  /** The key's name: "the API key", "“Pocket app”". */
  name: string
  /** Whether the key has been replaced and works only until its grace period ends. */
  isExpiring?: boolean
  problem: Refusal | undefined
}

/** Buttons of an active key: replace it, or revoke it now. */
export function KeyButtons({ id, publicationId, name, isExpiring = false, problem }: KeyButtonsProps) {
  const hidden = { publicationId: String(publicationId) }
  const replaceForm = useForm({
    problem,
    identifiedBy: { intent: 'replace', id: String(id) },
    hidden,
    failure: 'Key not replaced',
  })
  const revokeForm = useForm({
    problem,
    identifiedBy: { intent: 'revoke', id: String(id) },
    hidden,
    failure: 'Key not revoked',
  })
  return (
    <span className="flex flex-wrap gap-2">
      {!isExpiring && (
        <Form form={replaceForm}>
          <ConfirmButton
            form={replaceForm}
            size="small"
            label="Replace key"
            about={name}
            title={`Replace ${name}?`}
            text="You get a new key. The old one works for another 24 hours, so that your partner has time to switch to the new one. If it was stolen, revoke it instead."
          />
        </Form>
      )}
      <Form form={revokeForm}>
        <ConfirmButton
          form={revokeForm}
          size="small"
          isDangerous
          label="Revoke now"
          about={name}
          title={`Revoke ${name} now?`}
          text="Programs that use it will be refused from now on, and readers cannot log in through them until they have another key. This cannot be undone."
        />
      </Form>
    </span>
  )
}
