import { AccountDeletion } from './account-deletion.tsx'
import { DevelopersCard } from './developers-card.tsx'
import { NoticeMails } from './notice-mails.tsx'
import { SessionList } from './session-list.tsx'
import layout from '../../ui/layout.module.css'
import { SignInMethods } from './sign-in-methods.tsx'
import { StudioZone } from './studio-zone.tsx'
import { ThemeChoice } from './theme-choice.tsx'

export function SettingsScreen() {
  return (
    <div className={layout['narrow-column']}>
      <ThemeChoice />
      <StudioZone />
      <NoticeMails />
      <SignInMethods />
      <SessionList />
      <DevelopersCard />
      <AccountDeletion />
    </div>
  )
}
