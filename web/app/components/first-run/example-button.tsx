import { Form, useNavigation } from '@remix-run/react'
import { Button } from '../ui/button.tsx'

/** Creates the example title. */
export function ExampleButton({ action, size = 'medium' }: { action: string; size?: 'small' | 'medium' }) {
  const isPending = useNavigation().formData?.get('intent') === 'make-example'
  return (
    <Form method="post" action={action}>
      <Button type="submit" name="intent" value="make-example" size={size} isPending={isPending}>
        Create an example title
      </Button>
    </Form>
  )
}
