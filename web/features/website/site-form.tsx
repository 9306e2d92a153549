import { type ImageSlot, imageSlots, siteLimits } from '@flashsheet/contracts/website/limits'
import { Card } from '../../ui/card.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { AddressFields } from './address-fields.tsx'
import { DesignFields } from './design-fields.tsx'
import { DomainNameField } from './domain-name-field.tsx'
import { ImageField } from './image-field.tsx'
import type { SiteFieldsProps } from './site-draft.ts'
import { SectionFields } from './section-fields.tsx'
import { ShownLinks } from './shown-links.tsx'
import layout from '../../ui/layout.module.css'
import styles from './site-form.module.css'
import type { ImageUploads } from './use-image-uploads.ts'

const imageTexts: Record<ImageSlot, { label: string; hint: string; shape: 'logo' | 'wide' | 'portrait' }> = {
  logoImage: {
    label: 'Logo',
    hint: 'Best as a PNG with a transparent background. Also your icon in the browser.',
    shape: 'logo',
  },
  backgroundImage: {
    label: 'Background image',
    hint: 'The wide picture at the top, 1920 pixels or more.',
    shape: 'wide',
  },
  profileImage: { label: 'Profile image', hint: 'You, or your hands at work. Shown beside About.', shape: 'portrait' },
}

export function SiteForm({ values, saved, errors, onChange, images }: SiteFieldsProps & { images: ImageUploads }) {
  const field = (name: 'name' | 'shopName' | 'about' | 'email' | 'phone') => ({
    name,
    value: values[name],
    error: errors[name],
    onChange: (value: string) => onChange({ [name]: value }),
  })
  return (
    <>
      <Card title="Look" note="With your own pictures. You can change it any time.">
        <DesignFields values={values} saved={saved} errors={errors} onChange={onChange} />
      </Card>
      <Card title="Personal info" note="Who you are, and how clients reach you.">
        <div className={layout['stack-5']}>
          <div className={styles['pair']}>
            <TextField label="Name" autoComplete="name" {...field('name')} />
            <TextField label="Shop name" autoComplete="organization" {...field('shopName')} />
          </div>
          <DomainNameField
            value={values.domainName}
            saved={saved.domainName}
            error={errors.domainName}
            onChange={(domainName) => onChange({ domainName })}
          />
          <TextArea label="About" rows={6} max={siteLimits.about} {...field('about')} />
          <div className={styles['pair']}>
            <TextField
              label="Email"
              type="email"
              inputMode="email"
              autoComplete="email"
              description="Everybody can see it."
              {...field('email')}
            />
            <TextField
              label="Phone"
              type="tel"
              inputMode="tel"
              autoComplete="tel"
              description="Everybody can see it."
              {...field('phone')}
            />
          </div>
        </div>
      </Card>
      <Card title="Address" note="Where the studio is, with a link to the map.">
        <div className={layout['stack-5']}>
          <AddressFields values={values} errors={errors} onChange={onChange} />
        </div>
      </Card>
      <Card title="Contact and links" note="What visitors see of how to reach you.">
        <ShownLinks values={values} onChange={onChange} />
      </Card>
      <Card title="Parts of the page" note="Switch them on, and put them in your order.">
        <SectionFields sections={values} errors={errors} onChange={onChange} />
      </Card>
      <Card title="Images" note="JPG and PNG max 20MB.">
        {imageSlots.map((slot) => (
          <ImageField
            key={slot}
            {...imageTexts[slot]}
            image={values[slot]}
            upload={images.uploads[slot]}
            error={errors[slot]}
            onPick={(file) => images.send(slot, file)}
            onRetry={() => {
              const file = images.uploads[slot]?.file
              if (file) images.send(slot, file)
            }}
            onRemove={() => {
              // An upload covers the picture that the site has.
              if (images.uploads[slot]) images.discard(slot)
              else onChange({ [slot]: null })
            }}
          />
        ))}
      </Card>
    </>
  )
}
