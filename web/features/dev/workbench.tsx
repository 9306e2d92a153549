import { ImageUp, Plus, Trash2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Alert } from '../../ui/alert.tsx'
import { AlertDialog } from '../../ui/alert-dialog.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { ComboBox } from '../../ui/combo-box.tsx'
import { DatePicker } from '../../ui/date-picker.tsx'
import { DateTimePicker } from '../../ui/date-time-picker.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FileDrop } from '../../ui/file-drop.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { RadioGroup } from '../../ui/radio-group.tsx'
import { Select } from '../../ui/select.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import { Stepper } from '../../ui/stepper.tsx'
import { Switch } from '../../ui/switch.tsx'
import { Table } from '../../ui/table.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { chooseTheme, chosenTheme, type Theme } from '../../ui/theme.ts'
import { toast } from '../../ui/toast.tsx'
import styles from './workbench.module.css'

/** Every component in every state, for looking at while working on them. Not part of the built app. */
export default function Workbench() {
  const [theme, setTheme] = useState<Theme>(chosenTheme)
  return (
    <main className={styles['bench']}>
      <h1>Components</h1>
      <RadioGroup
        label="Theme"
        value={theme}
        onChange={(next) => {
          setTheme(next)
          chooseTheme(next)
        }}
        options={[
          { value: 'system', label: 'System' },
          { value: 'light', label: 'Light' },
          { value: 'dark', label: 'Dark' },
        ]}
      />
      <Buttons />
      <Fields />
      <Pickers />
      <Overlays />
      <Words />
      <Progress />
      <Lists />
    </main>
  )
}

function Shelf({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles['shelf']}>
      <h2>{title}</h2>
      <div className={styles['row']}>{children}</div>
    </section>
  )
}

function Buttons() {
  return (
    <Shelf title="Buttons">
      {(['primary', 'ink', 'secondary', 'quiet', 'danger'] as const).map((variant) => (
        <div key={variant} className={styles['line']}>
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
      <div className={styles['line']}>
        <IconButton label="Delete">
          <Trash2 aria-hidden="true" />
        </IconButton>
        <IconButton label="Delete" size="small" variant="filled">
          <Trash2 aria-hidden="true" />
        </IconButton>
      </div>
    </Shelf>
  )
}

function Fields() {
  const [text, setText] = useState('Half-sleeve, day two')
  const [on, setOn] = useState(true)
  const [network, setNetwork] = useState<'a' | 'b' | 'c' | null>('a')
  return (
    <Shelf title="Fields">
      <TextField label="Title" value={text} onChange={setText} max={90} description="Shown on YouTube." aside="Optional" />
      <TextField label="Title" value={text} onChange={setText} max={12} error="The title can have up to 12 characters." />
      <TextField label="Disabled" value={text} onChange={setText} disabled />
      <TextField label="Empty" value="" onChange={setText} placeholder="you@example.com" />
      <PasswordField label="Password" value={text} onChange={setText} autoComplete="current-password" error="Passwords do not match" />
      <TextArea label="Caption" value={text} onChange={setText} max={2200} />
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

function Pickers() {
  const [choice, setChoice] = useState<string | null>(null)
  const [day, setDay] = useState<string | null>('2026-11-21')
  const [time, setTime] = useState<Date | null>(null)
  const [start] = useState(() => new Date())
  const options = ['Newest First', 'Oldest First', 'Name A-Z', 'Name Z-A'].map((label) => ({ value: label, label }))
  return (
    <Shelf title="Pickers">
      <Select label="Sort" value={choice} onChange={setChoice} options={options} />
      <Select label="Sort" value={choice} onChange={setChoice} options={options} error="Please choose one." />
      <ComboBox label="Zone" value={choice} onChange={setChoice} options={options} placeholder="Type to search" />
      <DatePicker label="Day" value={day} onChange={setDay} min="2026-11-20" />
      <DateTimePicker label="Date and time" value={time} onChange={setTime} min={start} description={time ? time.toISOString() : 'Nothing chosen'} />
      <DateTimePicker label="In Tokyo" value={time ?? start} onChange={setTime} timeZone="Asia/Tokyo" error="Please choose a time in the future." />
    </Shelf>
  )
}

function Overlays() {
  const [dialog, setDialog] = useState(false)
  const [ask, setAsk] = useState(false)
  return (
    <Shelf title="Overlays">
      <div className={styles['line']}>
        <Button onPress={() => setDialog(true)}>Dialog</Button>
        <Button onPress={() => setAsk(true)}>Alert dialog</Button>
        <Menu label="More" align="start" trigger={<Button>Menu</Button>}>
          <MenuItem onAction={() => toast.info('Edited')}>Edit</MenuItem>
          <MenuLine />
          <MenuItem tone="danger" icon={<Trash2 aria-hidden="true" />}>
            Delete
          </MenuItem>
        </Menu>
        <Button onPress={() => toast.success('Posted successfully to 5 social(s).')}>Success</Button>
        <Button onPress={() => toast.warning('Posted to 4 social(s), but failed on 1.', 'Instagram did not answer.')}>Warning</Button>
        <Button onPress={() => toast.error('Failed to create checkout session', 'We could not reach the server. Check your connection and try again. (FETCH_ERROR)')}>Error</Button>
      </div>
      <Dialog
        open={dialog}
        onOpenChange={setDialog}
        title="Schedule Your Post"
        actions={
          <>
            <Button onPress={() => setDialog(false)}>Cancel</Button>
            <Button variant="primary" onPress={() => setDialog(false)}>
              Add Schedule
            </Button>
          </>
        }
      >
        <DateTimePicker label="Date and time" value={null} onChange={() => {}} />
      </Dialog>
      <AlertDialog open={ask} onOpenChange={setAsk} title="Disconnect Instagram?" action="Disconnect" onAction={() => setAsk(false)}>
        <p>
          Scheduled posts from <strong>@mara.quill</strong> will be deleted. This cannot be undone.
        </p>
      </AlertDialog>
    </Shelf>
  )
}

function Words() {
  return (
    <Shelf title="Words">
      <div className={styles['line']}>
        {(['posted', 'scheduled', 'failed', 'pending', 'neutral', 'success', 'danger', 'warning', 'secondary'] as const).map((tone) => (
          <Badge key={tone} tone={tone}>
            {tone}
          </Badge>
        ))}
        <Avatar name="Mara Quill" size="small" />
        <Avatar name="Mara Quill" />
        <Avatar name="" size="large" />
      </div>
      {(['danger', 'warning', 'info', 'success'] as const).map((tone) => (
        <Alert key={tone} tone={tone} title="Your payment failed. Please update your payment method." action={<Button size="small">Pay</Button>}>
          What you scheduled goes out all the same.
        </Alert>
      ))}
      <Card title="Social Line Work" note="$19/month" aside={<Badge tone="success">Active</Badge>} foot={<Button>Manage</Button>}>
        The content of a card.
      </Card>
      <EmptyState icon={<ImageUp />} title="No Media Found" action={<Button variant="primary">Upload files</Button>}>
        Upload files to get started.
      </EmptyState>
    </Shelf>
  )
}

function Progress() {
  const [current, setCurrent] = useState(2)
  return (
    <Shelf title="Progress">
      <ProgressBar label="half-sleeve-final-final-v7-really-final.mp4" value={38} />
      <ProgressBar label="Looking" value={null} />
      <ProgressBar label="Billing cycle" value={12} max={30} valueLabel="12 days left" tone="posted" />
      <Stepper label="New post" steps={['Media', 'Accounts', 'Caption', 'Post']} current={current} />
      <Pagination current={current} pages={12} onChange={setCurrent} />
      <Loading label="Loading accounts...">
        <Skeleton />
        <Skeleton width="half" />
        <Skeleton shape="circle" />
        <Skeleton shape="block" />
      </Loading>
      <FileDrop label="Drop a video here, or" action="Choose a video" hint="MP4 and MOV max 300MB and max 3 minutes." accept={['video/mp4']} onFiles={(files) => toast.info(`${files.length} file(s)`)} />
    </Shelf>
  )
}

function Lists() {
  const [tab, setTab] = useState<'all' | 'gallery'>('all')
  return (
    <Shelf title="Lists">
      <Tabs
        label="Library"
        selected={tab}
        onSelect={setTab}
        items={[
          { id: 'all', label: 'All', content: <p>Your Media Library (3/100)</p> },
          { id: 'gallery', label: 'Gallery', content: <p>Gallery (0)</p> },
        ]}
      />
      <Table
        label="Orders"
        rowId={(row) => row.id}
        rows={[
          { id: '1', name: 'Mara Quill', amount: '$49.00' },
          { id: '2', name: 'A very long name that goes on and on for a while', amount: '$1,249.00' },
        ]}
        columns={[
          { id: 'name', label: 'Customer', cell: (row) => row.name, sortable: true },
          { id: 'amount', label: 'Amount', align: 'end', cell: (row) => row.amount },
          { id: 'more', label: 'Actions', labelHidden: true, cell: () => <Button size="small">View</Button> },
        ]}
        empty={<EmptyState look="bare" title="No orders found" />}
      />
      <Table label="Nothing" rowId={() => ''} rows={[]} columns={[{ id: 'name', label: 'Customer', cell: () => null }]} empty={<EmptyState look="bare" title="No orders found" />} />
    </Shelf>
  )
}
