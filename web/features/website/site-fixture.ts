import type { Site } from '@flashsheet/contracts/website/schema'

/** A published site, for tests. */
export const publishedSite: Site = {
  gallery: [],
  published: true,
  personalInfo: { name: 'Ada', shopName: '', domainName: 'ada-ink', about: '', email: '', phone: '' },
  address: { shopAddress: '', city: '', state: '', zip: '' },
  branding: { backgroundColor: '#000000', textColor: '#ffffff', buttonColor: '#ff0000', hoverColor: '#8b0000' },
  images: {
    logoImage: {
      url: 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==',
      fileName: 'logo.gif',
      size: 5,
      uploadedAt: '2039-01-01T00:00:00.000Z',
    },
    backgroundImage: null,
    profileImage: null,
  },
  design: { layout: 'portrait', palette: 'moss' },
  links: { hidden: [] },
  sections: {
    shown: ['services', 'work'],
    services: [{ name: 'Small piece', price: 'from $120', note: '' }],
    questions: [],
    aftercare: '',
    guestSpots: [],
  },
}
