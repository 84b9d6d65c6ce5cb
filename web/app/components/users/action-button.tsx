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
  const formData = useNavigation().formData
  const isPending = formData?.get('intent') === intent && formData.get('id') === String(user.id)
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
