import { createLink } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, ReactNode, Ref } from 'react'
import { buttonClass, type ButtonLook } from './button-look.ts'

export type ButtonAnchorProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'className' | 'style'> &
  ButtonLook & { icon?: ReactNode; ref?: Ref<HTMLAnchorElement> }

/** An ordinary link that looks like a button: for addresses outside the app and for whole-page moves. */
export function ButtonAnchor({ icon, children, variant, size, wide, ...props }: ButtonAnchorProps) {
  return (
    <a {...props} className={buttonClass({ variant, size, wide })}>
      {icon}
      {children}
    </a>
  )
}

/** A link within the app that looks like a button; takes what the router's Link takes (`to`, `search`, …). */
export const ButtonLink = createLink(ButtonAnchor)
