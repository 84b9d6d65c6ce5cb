import Printer from 'lucide-react/icons/printer'
import { Button } from './button.tsx'

/** Prints the page. On storefronts it is large, with a label in the language of the page. */
export function PrintButton({ label = 'Print', size = 'medium' }: { label?: string; size?: 'medium' | 'large' }) {
  return (
    <Button
      size={size}
      icon={<Printer size={18} aria-hidden="true" />}
      onClick={() => window.print()}
      className="scripted"
    >
      {label}
    </Button>
  )
}
