import { Fragment } from 'react'

/** A page's handle; a long address breaks behind its slashes before it breaks within a word. */
export const HandleText = ({ handle }: { handle: string }) =>
  handle.split(/(?<=\/)/).map((part, at) => (
    // The parts of an address have no identity but their position.
    // oxlint-disable-next-line react/no-array-index-key
    <Fragment key={at}>
      {part}
      <wbr />
    </Fragment>
  ))
