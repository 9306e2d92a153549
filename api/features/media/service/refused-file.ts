/** A file is refused, with the product's message; thrown in the decoding process. */
export class RefusedFile extends Error {}
