import {
  bestOn,
  type Branding,
  contrast,
  type Palette,
  readableControl,
  readablePalette,
  readableText,
} from '@flashsheet/contracts/palette'
import { Color } from '@flashsheet/contracts/website/schema'
import { CircleCheck } from 'lucide-react'
import { useId, type CSSProperties } from 'react'
import { TextField } from '../../ui/text-field.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import styles from './branding-fields.module.css'
import { colorFields, type SiteFieldsProps } from './site-draft.ts'

const labels = {
  backgroundColor: 'Background',
  textColor: 'Text',
  buttonColor: 'Buttons and links',
  hoverColor: 'Buttons when touched',
} as const
type ColorField = (typeof colorFields)[number]

/** The four colours. Where their contrast is too low, a sample shows the adjusted colours that the site uses instead. */
export function BrandingFields({ values, saved, errors, onChange }: SiteFieldsProps) {
  const usable = (field: ColorField) => {
    const parsed = Color.safeParse(values[field])
    return parsed.success ? parsed.data : saved[field]
  }
  const chosen = {
    backgroundColor: usable('backgroundColor'),
    textColor: usable('textColor'),
    buttonColor: usable('buttonColor'),
    hoverColor: usable('hoverColor'),
  }
  const readable = readablePalette(chosen)
  const yours: Palette = {
    ...readable,
    text: chosen.textColor,
    accent: chosen.buttonColor,
    button: chosen.buttonColor,
    hover: chosen.hoverColor,
    onButton: bestOn(chosen.buttonColor),
    onHover: bestOn(chosen.hoverColor),
  }
  const lowContrast = lowContrastColors(chosen, readable)
  const isReadable = lowContrast.length === 0
  return (
    <>
      <div className={styles['colors']}>
        {colorFields.map((field) => (
          <ColorInput
            key={field}
            label={labels[field]}
            name={field}
            value={values[field]}
            pickerValue={chosen[field]}
            error={errors[field]}
            onChange={(value) => onChange({ [field]: value })}
          />
        ))}
      </div>
      <div className={styles['samples']}>
        <Sample title="Yours" palette={yours} />
        {!isReadable && <Sample title="Yours, readable" palette={readable} />}
      </div>
      <p className={styles['verdict']} aria-live="polite">
        {isReadable ? (
          <>
            <CircleCheck /> Everybody can read these.
          </>
        ) : (
          `Too close to the background: ${lowContrast.join(', ')}. Your site is shown in the readable colours; your choice is kept.`
        )}
      </p>
    </>
  )
}

/** The chosen colours that had to be adjusted, each with its contrast ratio and the required one. */
function lowContrastColors(chosen: Branding, readable: Palette): string[] {
  const uses = [
    { name: 'text', need: 'needs', color: chosen.textColor, adjusted: readable.text, required: readableText },
    { name: 'links', need: 'need', color: chosen.buttonColor, adjusted: readable.accent, required: readableText },
    { name: 'buttons', need: 'need', color: chosen.buttonColor, adjusted: readable.button, required: readableControl },
    {
      name: 'touched buttons',
      need: 'need',
      color: chosen.hoverColor,
      adjusted: readable.hover,
      required: readableControl,
    },
  ]
  return uses
    .filter(({ color, adjusted }) => color !== adjusted)
    .map(
      ({ name, need, color, required }) => `${name} (${ratio(color, chosen.backgroundColor)}, ${need} ${required}:1)`,
    )
}

const ratio = (one: string, other: string) => `${(Math.floor(contrast(one, other) * 10) / 10).toFixed(1)}:1`

type ColorInputProps = {
  label: string
  name: string
  value: string
  pickerValue: string
  error: string | undefined
  onChange: (value: string) => void
}

function ColorInput({ label, name, value, pickerValue, error, onChange }: ColorInputProps) {
  const id = useId()
  return (
    <div className={styles['color']}>
      <label className={styles['well']} htmlFor={id}>
        <VisuallyHidden>{label}: pick a colour</VisuallyHidden>
        <input id={id} type="color" value={pickerValue} onChange={(event) => onChange(event.currentTarget.value)} />
      </label>
      <TextField label={label} name={name} value={value} onChange={onChange} error={error} autoComplete="off" />
    </div>
  )
}

function Sample({ title, palette }: { title: string; palette: Palette }) {
  const style = {
    '--background': palette.background,
    '--text': palette.text,
    '--accent': palette.accent,
    '--button': palette.button,
    '--on-button': palette.onButton,
    '--hover': palette.hover,
    '--on-hover': palette.onHover,
  } as CSSProperties
  return (
    <figure className={styles['sample']}>
      <div className={styles['sheet']} style={style} aria-hidden="true">
        <span className={styles['words']}>Black line, one needle.</span>
        <span className={styles['link']}>A link</span>
        <span className={styles['button']}>Book</span>
        <span className={styles['touched']}>Book</span>
      </div>
      <figcaption>{title}</figcaption>
    </figure>
  )
}
