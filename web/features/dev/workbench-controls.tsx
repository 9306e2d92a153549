import { postLimits } from '@flashsheet/contracts/posts/limits'
import { ImageUp, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { BottomBar } from '../../ui/bottom-bar.tsx'
import { ButtonAnchor, ButtonLink } from '../../ui/button-link.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { ComboBox } from '../../ui/combo-box.tsx'
import { DatePicker } from '../../ui/date-picker.tsx'
import { DateTimePicker } from '../../ui/date-time-picker.tsx'
import { Form } from '../../ui/form.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { RadioGroup } from '../../ui/radio-group.tsx'
import { Select } from '../../ui/select.tsx'
import { Switch } from '../../ui/switch.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { Shelf } from './workbench-shelf.tsx'
import layout from '../../ui/layout.module.css'

/** Tests overflow: a very long text with a word that cannot be broken. */
const longText = 'A name that goes on and on, of Maximiliane-Konstantinopolska-Ravindranathan-Featherstonehaugh, and on'

export function Buttons() {
  return (
    <Shelf title="Buttons">
      {(['primary', 'ink', 'secondary', 'quiet', 'danger'] as const).map((variant) => (
        <div key={variant} className={layout['row-3']}>
          <Button variant={variant} size="small">
            {variant}
          </Button>
          <Button variant={variant}>{variant}</Button>
          <Button variant={variant} size="large" icon={<Plus aria-hidden="true" />}>
            {variant}
          </Button>
          <Button variant={variant} isDisabled>
            Disabled
          </Button>
          <Button variant={variant} pending>
            Pending
          </Button>
          <Button variant={variant} pending pendingLabel="Posting...">
            Post Now
          </Button>
        </div>
      ))}
      <div className={layout['row-3']}>
        <IconButton label="Delete">
          <Trash2 aria-hidden="true" />
        </IconButton>
        <IconButton label="Delete" size="small" variant="filled">
          <Trash2 aria-hidden="true" />
        </IconButton>
        <IconButton label="Delete" isDisabled>
          <Trash2 aria-hidden="true" />
        </IconButton>
        <ButtonLink to="/">A link within the app</ButtonLink>
        <ButtonLink to="/" variant="primary" icon={<Plus aria-hidden="true" />}>
          A link within the app
        </ButtonLink>
        <ButtonAnchor href="https://flashsheet.example" variant="quiet" size="small">
          A link out of it
        </ButtonAnchor>
      </div>
      <Button wide variant="primary">
        {longText}
      </Button>
      {/* Each in a container of its own, because they stick to its end. */}
      <div>
        <BottomBar start={<Button variant="quiet">Back</Button>} note="Choose something first.">
          <Button variant="primary" isDisabled>
            Next
          </Button>
        </BottomBar>
      </div>
      <div>
        <BottomBar stacked start={<Button variant="quiet">3 selected</Button>}>
          <Button>Add to Gallery</Button>
          <Button variant="danger">Delete</Button>
        </BottomBar>
      </div>
      <div className={layout['row-3']}>
        <span>
          Here are words for screen readers alone: <VisuallyHidden>nobody sees them</VisuallyHidden>
        </span>
      </div>
    </Shelf>
  )
}

export function Fields() {
  const [text, setText] = useState('Half-sleeve, day two')
  const [on, setOn] = useState(true)
  const [network, setNetwork] = useState<'a' | 'b' | 'c' | null>('a')
  return (
    <Shelf title="Fields">
      <TextField
        label="Title"
        value={text}
        onChange={setText}
        max={90}
        description="Shown on YouTube."
        aside="Optional"
      />
      <TextField
        label="Title"
        value={text}
        onChange={setText}
        max={12}
        error="The title can have up to 12 characters."
      />
      <TextField label="Disabled" value={text} onChange={setText} disabled />
      <TextField label="Empty" value="" onChange={setText} placeholder="you@example.com" />
      <PasswordField
        label="Password"
        value={text}
        onChange={setText}
        autoComplete="current-password"
        error="Passwords do not match"
      />
      <PasswordField
        label="Password"
        value=""
        onChange={setText}
        autoComplete="new-password"
        description="At least 6 characters."
        disabled
      />
      <TextField label={longText} value={longText} onChange={setText} description={longText} error={longText} />
      <TextArea label="Caption" value={text} onChange={setText} max={postLimits.captionMax} />
      <TextArea
        label="Caption"
        value={longText}
        onChange={setText}
        max={20}
        error="The caption can have up to 20 characters."
      />
      <TextArea label="Caption" value="" onChange={setText} placeholder="Say something about it" disabled />
      <Form aria-label="A form" onSubmit={(event) => event.preventDefault()}>
        <TextField label="Email" type="email" value="" onChange={setText} />
        <Button type="submit" variant="primary">
          Send
        </Button>
      </Form>
      <Checkbox checked={on} onChange={setOn}>
        Allow comments
      </Checkbox>
      <Checkbox checked={false} onChange={setOn} error="Please confirm that you are at least 18 years old.">
        I am 18
      </Checkbox>
      <Checkbox checked={on} onChange={setOn} partly description="Three of five">
        All pages
      </Checkbox>
      <Checkbox checked={on} onChange={setOn} disabled description="Video only — disabled for image posts">
        TikTok
      </Checkbox>
      <Switch on={on} onChange={setOn} description="Mails when a post fails.">
        Mail me
      </Switch>
      <Switch on={!on} onChange={() => setOn(!on)}>
        The other way round
      </Switch>
      <Switch on={false} onChange={setOn} disabled description={longText}>
        {longText}
      </Switch>
      <RadioGroup
        label="Who can see this"
        value={network}
        onChange={setNetwork}
        options={[
          { value: 'a', label: 'Everyone' },
          { value: 'b', label: 'Friends', description: 'People you follow back' },
          { value: 'c', label: 'Only me', disabled: true },
        ]}
      />
      <RadioGroup
        look="cards"
        label="What do you post?"
        value={network}
        onChange={setNetwork}
        error="Please choose one."
        options={[
          { value: 'a', label: 'Video', description: 'MP4 or MOV', icon: <ImageUp /> },
          { value: 'b', label: 'Single Image', description: 'JPG or PNG', icon: <ImageUp /> },
          { value: 'c', label: 'Multiple Images', description: 'Up to 10', icon: <ImageUp />, disabled: true },
        ]}
      />
    </Shelf>
  )
}

export function Pickers() {
  const [choice, setChoice] = useState<string | null>(null)
  const [day, setDay] = useState<string | null>('2026-11-21')
  const [time, setTime] = useState<Date | null>(null)
  const [start] = useState(() => new Date())
  const options = ['Newest First', 'Oldest First', 'Name A-Z', 'Name Z-A'].map((label) => ({ value: label, label }))
  return (
    <Shelf title="Pickers">
      <Select label="Sort" value={choice} onChange={setChoice} options={options} />
      <Select label="Sort" value={choice} onChange={setChoice} options={options} error="Please choose one." />
      <Select label="Sort" value={choice} onChange={setChoice} options={options} disabled />
      <Select
        label="Sort"
        labelHidden
        value={longText}
        onChange={setChoice}
        options={[...options, { value: longText, label: longText, description: longText }]}
      />
      <ComboBox label="Zone" value={null} onChange={setChoice} options={options} error="Please choose one." />
      <ComboBox label="Zone" value={choice} onChange={setChoice} options={options} disabled description={longText} />
      <ComboBox label="Zone" value={choice} onChange={setChoice} options={options} placeholder="Type to search" />
      <DatePicker label="Day" value={day} onChange={setDay} min="2026-11-20" />
      <DatePicker label="Day" value={null} onChange={setDay} error="Date is required" />
      <DatePicker label="Day" value={day} onChange={setDay} disabled />
      <DateTimePicker
        label="Date and time"
        value={time}
        onChange={setTime}
        min={start}
        description={time ? time.toISOString() : 'Nothing chosen'}
      />
      <DateTimePicker
        label="In Tokyo"
        value={time ?? start}
        onChange={setTime}
        timeZone="Asia/Tokyo"
        error="Please choose a time in the future."
      />
    </Shelf>
  )
}
