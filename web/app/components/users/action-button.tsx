import { Form, useNavigation } from '@remix-run/react'
import { Button } from '../ui/button.tsx'

interface ActionButtonProps {
  intent: 'reactivate' | 'invite' | 'reset-two-step'
  user: { id: number; name: string }
  label: string
  size?: 'small' | 'medium'
  isWide?: boolean
}

/** An action on a user without confirmation: only for what can be undone. */
export function ActionButton({ intent, user, label, size = 'medium', isWide = false }: ActionButtonProps) {
  const sent = useNavigation().formData
  const isPending = sent?.get('intent') === intent && sent.get('id') === String(user.id)
  return (
    <Form method="post" preventScrollReset>
      <input type="hidden" name="id" value={user.id} />
      <Button type="submit" name="intent" value={intent} size={size} isWide={isWide} isPending={isPending}>
        {label}
        <span className="sr-only">: {user.name}</span>
      </Button>
    </Form>
  )
}
