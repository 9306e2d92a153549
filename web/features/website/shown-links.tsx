import { platformNames } from '@flashsheet/contracts/networks'
import { type ContactDetail, contactDetails } from '@flashsheet/contracts/website/limits'
import { trpc } from '../../lib/trpc.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { NetworkIcon } from '../social/network-icon.tsx'
import text from '../../ui/text.module.css'
import layout from '../../ui/layout.module.css'
import type { SiteFieldsProps, SiteValues } from './site-draft.ts'

const words: Record<ContactDetail, { label: string; isFilled: (values: SiteValues) => boolean }> = {
  email: { label: 'Email', isFilled: (values) => values.email.trim() !== '' },
  phone: { label: 'Phone', isFilled: (values) => values.phone.trim() !== '' },
  address: { label: 'Street and map', isFilled: (values) => values.shopAddress.trim() !== '' || values.zip !== '' },
}

export function ShownLinks({ values, onChange }: Pick<SiteFieldsProps, 'values' | 'onChange'>) {
  const links = trpc.website.links.useQuery()
  const choices = [
    ...contactDetails
      .filter((id) => words[id].isFilled(values))
      .map((id) => ({ id: id as string, label: <>{words[id].label}</> })),
    ...(links.data ?? []).map(({ id, platform, name }) => ({
      id,
      label: (
        <span className={layout['line-2']}>
          <NetworkIcon platform={platform} />
          <span>
            {platformNames[platform]}: {name}
          </span>
        </span>
      ),
    })),
  ]
  const { hiddenLinks } = values
  if (choices.length === 0)
    return <p className={text['muted']}>What you fill in above, and each page you connect, can be shown here.</p>
  return (
    <fieldset className={layout['stack-1']} aria-label="Shown on your website">
      {choices.map(({ id, label }) => (
        <Checkbox
          key={id}
          checked={!hiddenLinks.includes(id)}
          onChange={(isShown) =>
            onChange({ hiddenLinks: isShown ? hiddenLinks.filter((one) => one !== id) : [...hiddenLinks, id] })
          }
        >
          {label}
        </Checkbox>
      ))}
    </fieldset>
  )
}
