import { createLink } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, ReactNode, Ref } from 'react'
import { buttonClass, type ButtonLook } from './button-look.ts'

export type ButtonAnchorProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'className' | 'style'> &
  ButtonLook & { icon?: ReactNode; ref?: Ref<HTMLAnchorElement> }

/** A plain link with a button's look: for addresses outside the app and full page loads. */
export function ButtonAnchor({ icon, children, variant, size, wide, ...props }: ButtonAnchorProps) {
  return (
    <a {...props} className={buttonClass({ variant, size, wide })}>
      {icon}
      {children}
    </a>
  )
}

/** A router link with a button's look; takes the props of the router's Link (`to`, `search`, …). */
export const ButtonLink = createLink(ButtonAnchor)
