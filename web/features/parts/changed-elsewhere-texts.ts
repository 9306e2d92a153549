export const changedElsewhereTexts = {
  notice:
    'What you are editing was changed somewhere else in the meantime. If you save, your changes replace the new ones.',
  /** Of a save that stopped after its form was left. */
  notSaved: 'Your changes were not saved, because the same was changed somewhere else in the meantime.',
  show: 'Show the new ones',
} as const
