/** What a file is refused for, in the product's words; thrown where files are looked at, which is outside the process that answers. */
export class RefusedFile extends Error {}
