export const changedElsewhereTexts = {
  notice:
    'What you are editing was changed somewhere else in the meantime. If you save, your changes replace the new ones.',
  /** Of a save that stopped after its form was left. */
  notSaved: 'Your changes were not saved: something else was saved there in the meantime.',
  show: 'Show the new ones',
} as const
