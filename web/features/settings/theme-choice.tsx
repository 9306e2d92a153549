import { Monitor, Moon, Sun } from 'lucide-react'
import { useState } from 'react'
import { Card } from '../../ui/card.tsx'
import { RadioGroup } from '../../ui/radio-group.tsx'
import { chooseTheme, chosenTheme, type Theme } from '../../ui/theme.ts'

const options = [
  { value: 'system', label: 'Match this device', icon: <Monitor /> },
  { value: 'light', label: 'Light', icon: <Sun /> },
  { value: 'dark', label: 'Dark', icon: <Moon /> },
] as const

/** Light or dark, on this device. */
export function ThemeChoice() {
  const [theme, setTheme] = useState(chosenTheme)
  const choose = (next: Theme) => {
    chooseTheme(next)
    setTheme(next)
  }
  return (
    <Card title="Appearance" note="Only on this device.">
      <RadioGroup label="Theme" isLabelHidden variant="cards" value={theme} onChange={choose} options={options} />
    </Card>
  )
}
