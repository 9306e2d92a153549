import {
  type SiteLayout,
  siteLayouts,
  type SitePaletteId,
  sitePaletteIds,
  sitePalettes,
} from '@flashsheet/contracts/site-design'
import { Check } from 'lucide-react'
import type { CSSProperties } from 'react'
import { Label, RadioButton, RadioField, RadioGroup } from 'react-aria-components'
import { useMediaQuery } from '../../ui/use-media-query.ts'
import { Button } from '../../ui/button.tsx'
import { BrandingFields } from './branding-fields.tsx'
import text from '../../ui/text.module.css'
import layout from '../../ui/layout.module.css'
import { classes } from '../../ui/classes.ts'
import styles from './design-fields.module.css'
import { PreviewFrame } from './preview-frame.tsx'
import { colorFields, saveInput, type SiteFieldsProps } from './site-draft.ts'

const layoutTexts: Record<SiteLayout, { name: string; note: string }> = {
  gallery: { name: 'Gallery first', note: 'Your banner, then your work in a grid.' },
  portrait: { name: 'Portrait first', note: 'You beside your name, your work large.' },
  flash: { name: 'Flash wall', note: 'Every sheet whole, many at a time.' },
}

const phone = { width: 390, height: 680 }

export function DesignFields({ values, saved, errors, onChange }: SiteFieldsProps) {
  const { palette } = values
  const paletteColors = palette && sitePalettes[palette].colors
  const hasOwnColors = paletteColors !== null && colorFields.some((field) => values[field] !== paletteColors[field])
  return (
    <div className={styles['fields']}>
      <LayoutChoice values={values} onChange={onChange} />
      <RadioGroup
        className={styles['group'] ?? ''}
        value={palette}
        onChange={(chosen) => {
          const id = sitePaletteIds.find((one) => one === chosen)
          if (id) onChange({ palette: id, ...sitePalettes[id].colors })
        }}
      >
        <Label className={text['strong'] ?? ''}>Palette</Label>
        <div className={styles['palettes']}>
          {sitePaletteIds.map((id) => (
            <PaletteOption key={id} id={id} />
          ))}
        </div>
      </RadioGroup>
      {paletteColors && hasOwnColors && (
        <p className={classes(layout['row-3'], text['muted'])}>
          Some colours are your own.
          <Button size="small" onPress={() => onChange({ ...paletteColors })}>
            Back to {sitePalettes[palette].name}
          </Button>
        </p>
      )}
      <details
        className={styles['colors']}
        open={palette === null || hasOwnColors || colorFields.some((one) => errors[one])}
      >
        <summary>Your own colours</summary>
        <BrandingFields values={values} saved={saved} errors={errors} onChange={onChange} />
      </details>
    </div>
  )
}

function LayoutChoice({ values, onChange }: Pick<SiteFieldsProps, 'values' | 'onChange'>) {
  // On a phone the full preview is one tap away, so the thumbnails may update later.
  const hasRoom = useMediaQuery('(width >= 37.5em)')
  return (
    <RadioGroup
      className={styles['group'] ?? ''}
      value={values.layout}
      onChange={(chosen) => {
        const layout = siteLayouts.find((one) => one === chosen)
        if (layout) onChange({ layout })
      }}
    >
      <Label className={text['strong'] ?? ''}>Layout</Label>
      <div className={styles['layouts']}>
        {siteLayouts.map((layout) => (
          <RadioField key={layout} value={layout}>
            <RadioButton className={styles['layout'] ?? ''}>
              <span className={styles['thumb']} aria-hidden="true">
                <PreviewFrame
                  site={JSON.stringify(saveInput({ ...values, layout }))}
                  screen={phone}
                  debounceMs={hasRoom ? 900 : 1500}
                  isPicture
                />
              </span>
              <span className={styles['name']}>{layoutTexts[layout].name}</span>
              <span className={text['note']}>{layoutTexts[layout].note}</span>
            </RadioButton>
          </RadioField>
        ))}
      </div>
    </RadioGroup>
  )
}

function PaletteOption({ id }: { id: SitePaletteId }) {
  const { name, colors } = sitePalettes[id]
  const style = {
    '--background': colors.backgroundColor,
    '--text': colors.textColor,
    '--button': colors.buttonColor,
  } as CSSProperties
  return (
    <RadioField value={id}>
      <RadioButton className={styles['palette'] ?? ''}>
        <span className={styles['swatch']} style={style} aria-hidden="true">
          <span>Ag</span>
          <i />
        </span>
        <span className={styles['name']}>
          {name} <Check />
        </span>
      </RadioButton>
    </RadioField>
  )
}
