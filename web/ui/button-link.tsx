import { createLink } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, ReactNode, Ref } from 'react'
import { buttonClass, type ButtonStyle } from './button-class.ts'

export type ButtonAnchorProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'className' | 'style'> &
  ButtonStyle & { icon?: ReactNode; ref?: Ref<HTMLAnchorElement> }

/** A plain link with the style of a button: for addresses outside the app and full page loads. */
export function ButtonAnchor({ icon, children, variant, size, wide, ...props }: ButtonAnchorProps) {
  return (
    <a {...props} className={buttonClass({ variant, size, wide })}>
      {icon}
      {children}
    </a>
  )
}

/** A router link with the style of a button; takes the props of the router's Link (`to`, `search`, …). */
export const ButtonLink = createLink(ButtonAnchor)
