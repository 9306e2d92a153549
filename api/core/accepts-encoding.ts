/** Whether an Accept-Encoding header names an encoding and does not refuse it with the quality 0. */
export const acceptsEncoding = (header: string, encoding: string): boolean =>
  header.split(',').some((one) => {
    const [name = '', quality = ''] = one.split(';')
    return name.trim().toLowerCase() === encoding && !/^q=0(?:\.0*)?$/i.test(quality.trim())
  })
