export const changedElsewhereTexts = {
  notice:
    'What you are editing was changed somewhere else in the meantime. If you save, your changes replace the new ones.',
  show: 'Show the new ones',
} as const
