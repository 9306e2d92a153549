import { ImageUp, Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Alert } from '../../ui/alert.tsx'
import { AlertDialog } from '../../ui/alert-dialog.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { DateTimePicker } from '../../ui/date-time-picker.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FileDrop } from '../../ui/file-drop.tsx'
import { lazyComponent } from '../../ui/lazy-component.tsx'
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { RadioGroup } from '../../ui/radio-group.tsx'
import { Records } from '../../ui/records.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { Stepper } from '../../ui/stepper.tsx'
import { Table } from '../../ui/table.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { chooseTheme, chosenTheme, type Theme } from '../../ui/theme.ts'
import { showToasts, toast } from '../../ui/toast.tsx'
import { Buttons, Fields, Pickers } from './workbench-controls.tsx'
import { Shelf } from './workbench-shelf.tsx'
import layout from '../../ui/layout.module.css'
import styles from './workbench.module.css'

/** Lazy components that stay pending or fail. */
const ComingPart = lazyComponent(
  async () => await new Promise<never>(() => {}),
  () => <Skeleton shape="block" />,
)
const FailedPart = lazyComponent(
  async () => await Promise.reject(new Error('its code cannot be fetched')),
  (_props, retry) => (retry ? <Button onPress={retry}>Try again</Button> : <Skeleton shape="block" />),
)

/** Every component in every state, for development. Not part of the production build. */
export default function Workbench() {
  const [theme, setTheme] = useState<Theme>(chosenTheme)
  useEffect(showToasts, [])
  return (
    <main className={styles['bench']}>
      <h1>Components</h1>
      <p>StepNavigation through them with Tab to see the focus of each.</p>
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

function Overlays() {
  const [dialog, setDialog] = useState(false)
  const [ask, setAsk] = useState(false)
  const [wide, setWide] = useState(false)
  return (
    <Shelf title="Overlays">
      <div className={layout['row-3']}>
        <Button onPress={() => setDialog(true)}>Dialog</Button>
        <Button onPress={() => setWide(true)}>Wide and steady dialog, busy</Button>
        <Button onPress={() => setAsk(true)}>Alert dialog</Button>
        <Menu label="More" align="start" trigger={<Button>Menu</Button>}>
          <MenuItem onAction={() => toast.info('Edited')}>Edit</MenuItem>
          <MenuLine />
          <MenuItem tone="danger" icon={<Trash2 aria-hidden="true" />}>
            Delete
          </MenuItem>
        </Menu>
        <Button onPress={() => toast.success('Posted successfully to 5 social(s).')}>Success</Button>
        <Button onPress={() => toast.warning('Posted to 4 social(s), but failed on 1.', 'Instagram did not answer.')}>
          Warning
        </Button>
        <Button
          onPress={() =>
            toast.error(
              'Failed to create checkout session',
              'We could not reach the server. Check your connection and try again.',
            )
          }
        >
          Error
        </Button>
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
      <Dialog
        open={wide}
        onOpenChange={setWide}
        title="A title that goes on and on, until it has to be broken into a second line of the dialog’s head"
        size="wide"
        steady
        actions={
          <Button variant="primary" pending pendingLabel="Saving..." onPress={() => setWide(false)}>
            Save
          </Button>
        }
      >
        <Loading label="Loading">
          <Skeleton shape="block" />
        </Loading>
      </Dialog>
      <AlertDialog
        open={ask}
        onOpenChange={setAsk}
        title="Disconnect Instagram?"
        action="Disconnect"
        onAction={() => setAsk(false)}
      >
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
      <div className={layout['row-3']}>
        {(
          ['posted', 'scheduled', 'failed', 'pending', 'neutral', 'success', 'danger', 'warning', 'secondary'] as const
        ).map((tone) => (
          <Badge key={tone} tone={tone}>
            {tone}
          </Badge>
        ))}
        <Avatar name="Mara Quill" size="small" />
        <Avatar name="Mara Quill" />
        <Avatar name="" size="large" />
      </div>
      {(['danger', 'warning', 'info', 'success'] as const).map((tone) => (
        <Alert
          key={tone}
          tone={tone}
          title="Your payment failed. Please update your payment method."
          action={<Button size="small">Pay</Button>}
        >
          What you scheduled goes out all the same.
        </Alert>
      ))}
      <Card
        title="Social Line Work"
        note="$19/month"
        aside={<Badge tone="success">Active</Badge>}
        foot={<Button>Manage</Button>}
      >
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
      <p>
        <Spinner /> Something is on its way
      </p>
      <Pagination current={current} pages={12} onChange={setCurrent} />
      <Loading label="Loading accounts...">
        <Skeleton />
        <Skeleton width="half" />
        <Skeleton shape="circle" />
        <Skeleton shape="block" />
      </Loading>
      <ComingPart />
      <FailedPart />
      <FileDrop
        label="Drop a video here, or"
        action="Choose a video"
        hint="MP4 and MOV max 300MB and max 3 minutes."
        accept={['video/mp4']}
        onFiles={(files) => toast.info(`${files.length} file(s)`)}
      />
      <FileDrop
        label="Drop pictures here, or"
        action="Choose pictures"
        accept={['image/jpeg']}
        disabled
        look="row"
        onFiles={() => {}}
      />
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
      {[false, true].map((phone) => (
        <Records
          key={String(phone)}
          phone={phone}
          label={phone ? 'Artists on a phone' : 'Artists'}
          rowId={(row) => row.name}
          rows={[
            { name: 'Mara Quill', plan: 'Complete Shading' },
            { name: 'A very long name that goes on and on for a while', plan: 'Social Line Work' },
          ]}
          columns={[
            { id: 'name', label: 'Name', names: true, cell: (row) => row.name },
            { id: 'plan', label: 'Plan', cell: (row) => row.plan },
            { id: 'more', label: 'Actions', labelHidden: true, cell: () => <Button size="small">View</Button> },
          ]}
          empty={<EmptyState look="bare" title="No users found" />}
        />
      ))}
      <Records
        phone
        label="No artists"
        rowId={() => ''}
        rows={[]}
        columns={[{ id: 'name', label: 'Name', cell: () => null }]}
        empty={<EmptyState look="bare" title="No users found" />}
      />
      <Table
        label="Nothing"
        rowId={() => ''}
        rows={[]}
        columns={[{ id: 'name', label: 'Customer', cell: () => null }]}
        empty={<EmptyState look="bare" title="No orders found" />}
      />
    </Shelf>
  )
}
