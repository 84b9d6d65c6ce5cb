import { useEffect } from 'react'
import { toast } from 'sonner'

/** Says a refused form in a message at the foot of the page as well; the form itself says it for longer. */
export function useFailureToast(problem: object | undefined, text: string, detail: string): void {
  useEffect(() => {
    if (problem) toast.error(text, { id: text, description: detail })
  }, [problem, text, detail])
}
