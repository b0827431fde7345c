// In-memory file system with what this package uses: names of files that continue to exist while they are open.
import type { SessionFileSystem } from 'trimtab/sessions'
import { runningProgram } from './schedules.js'

interface Inode {
  number: number
  bytes: Uint8Array
  /** Content on the disk. */
  synced: Uint8Array
  mode: number
}

const O_RDWR = 2
const O_APPEND = 1024
const FOLDER = 0o040000

const failure = (code: string) => Object.assign(new Error(code), { code })

export class MemoryFs {
  readonly #names = new Map<string, Inode>()
  /** Names on the disk. */
  readonly #synced = new Map<string, Inode>()
  readonly #folders = new Set(['/'])
  readonly #made = new Map<number | undefined, number>()
  /** All files, those without a name too: they may be open. */
  readonly #inodes: Inode[] = []
  /** False for a system without hard links. */
  readonly #hasLinks: boolean

  constructor({ hasLinks = true }: { hasLinks?: boolean } = {}) {
    this.#hasLinks = hasLinks
  }

  /** All names and the contents of their files. */
  state(): string {
    const files = [...this.#names].sort(([a], [b]) => (a < b ? -1 : 1))
    return JSON.stringify(files.map(([name, { number, bytes }]) => [name, number, text(bytes)]))
  }

  /** Everything that is stored, by file. */
  texts(): Map<string, string> {
    return new Map([...this.#names].map(([name, { bytes }]) => [name, text(bytes)]))
  }

  /** All that a call can notice: names in their order, files now and on the disk, and files without a name. */
  whole(): string {
    const namesOf = (names: ReadonlyMap<string, Inode>) =>
      [...names].map(([name, { number }]) => [name, number])
    const files = this.#inodes.map(({ number, bytes, synced, mode }) => [
      number,
      text(bytes),
      text(synced),
      mode,
    ])
    return JSON.stringify([namesOf(this.#names), namesOf(this.#synced), files.sort()])
  }

  /** A copy with what is on the disk. */
  snapshot(): MemoryFs {
    const copy = new MemoryFs({ hasLinks: this.#hasLinks })
    for (const folder of this.#folders) copy.#folders.add(folder)
    const copies = new Map(this.#inodes.map((inode) => [inode, { ...inode }]))
    copy.#inodes.push(...copies.values())
    const copyOf = (inode: Inode) => copies.get(inode) as Inode
    for (const [name, inode] of this.#names) copy.#names.set(name, copyOf(inode))
    for (const [name, inode] of this.#synced) copy.#synced.set(name, copyOf(inode))
    return copy
  }

  copy(): MemoryFs {
    return this.#with(this.#names, ({ bytes }) => bytes)
  }

  /**
   * What a power failure leaves: of each file what was synced, under the names at the last sync of the folder, or under
   * those of now.
   */
  afterPowerFailure(keepsNames: boolean): MemoryFs {
    return this.#with(keepsNames ? this.#names : this.#synced, ({ synced }) => synced)
  }

  /** State on the disk, as {@link state}. */
  stateOnDisk(): string {
    const files = [...this.#synced].sort(([a], [b]) => (a < b ? -1 : 1))
    const contents = [...this.#names.values()].map(({ number, synced }) => [number, synced.length])
    return JSON.stringify([files.map(([name, { number, synced }]) => [name, number, text(synced)]), contents])
  }

  #with(names: ReadonlyMap<string, Inode>, contentOf: (inode: Inode) => Uint8Array): MemoryFs {
    const copy = new MemoryFs({ hasLinks: this.#hasLinks })
    for (const folder of this.#folders) copy.#folders.add(folder)
    for (const [name, inode] of names) {
      const bytes = contentOf(inode)
      const copied = { ...inode, bytes, synced: bytes }
      copy.#inodes.push(copied)
      copy.#names.set(name, copied)
    }
    copy.#sync()
    return copy
  }

  #sync(): void {
    this.#synced.clear()
    for (const [name, inode] of this.#names) this.#synced.set(name, inode)
  }

  readonly fs: SessionFileSystem = {
    constants: { O_RDWR, O_APPEND },
    open: async (path, flags) => this.#open(path, flags),
    stat: async (path) => this.#stat(path),
    lstat: async (path) => this.#stat(path),
    realpath: async (path) => path,
    readdir: async (path) => {
      const below = [...this.#names.keys(), ...this.#folders].filter((name) => name.startsWith(`${path}/`))
      return below.map((name) => name.slice(path.length + 1)).filter((name) => !name.includes('/'))
    },
    mkdir: async (path) => void this.#folders.add(path),
    link: async (from, to) => {
      if (!this.#hasLinks) throw failure('ENOTSUP')
      if (this.#names.has(to)) throw failure('EEXIST')
      this.#names.set(to, this.#at(from))
    },
    rename: async (from, to) => {
      const inode = this.#at(from)
      this.#names.delete(from)
      this.#names.set(to, inode)
    },
    unlink: async (path) => {
      this.#at(path)
      this.#names.delete(path)
    },
  }

  #at(path: string): Inode {
    const inode = this.#names.get(path)
    if (inode === undefined) throw failure('ENOENT')
    return inode
  }

  #stat(path: string) {
    return this.#folders.has(path) ? stat(folderNode()) : stat(this.#at(path))
  }

  #open(path: string, flags: string | number) {
    if (this.#folders.has(path)) return new Handle(folderNode(), false, () => this.#sync())
    const isThere = this.#names.has(path)
    if (flags === 'wx' && isThere) throw failure('EEXIST')
    if (!isThere && (flags === 'wx' || flags === 'a' || flags === 'a+')) this.#names.set(path, this.#create())
    const inode = this.#at(path)
    return new Handle(inode, flags !== 'r', () => {
      inode.synced = inode.bytes
    })
  }

  /** Inode numbers that do not depend on files created by other programs. */
  #create(): Inode {
    const program = runningProgram()
    const count = (this.#made.get(program) ?? 0) + 1
    this.#made.set(program, count)
    const number = ((program ?? -1) + 2) * 1000 + count
    const inode = { number, bytes: new Uint8Array(), synced: new Uint8Array(), mode: 0o100644 }
    this.#inodes.push(inode)
    return inode
  }
}

const folderNode = (): Inode => ({
  number: 0,
  bytes: new Uint8Array(),
  synced: new Uint8Array(),
  mode: FOLDER,
})

const decoder = new TextDecoder()
const text = (bytes: Uint8Array) => decoder.decode(bytes)

const stat = ({ number, bytes, mode }: Inode) => ({
  size: bytes.length,
  mode,
  dev: 1,
  ino: number,
  isFile: () => mode !== FOLDER,
  isDirectory: () => mode === FOLDER,
  isSymbolicLink: () => false,
})

class Handle {
  readonly #inode: Inode
  readonly #canWrite: boolean
  readonly #sync: () => void

  constructor(inode: Inode, canWrite: boolean, sync: () => void) {
    this.#inode = inode
    this.#canWrite = canWrite
    this.#sync = sync
  }

  /** Always appends: a file opened here is new, or opened for appending. */
  async write(bytes: Uint8Array, offset: number, length: number) {
    if (!this.#canWrite) throw failure('EBADF')
    const old = this.#inode.bytes
    const grown = new Uint8Array(old.length + length)
    grown.set(old)
    grown.set(bytes.subarray(offset, offset + length), old.length)
    this.#inode.bytes = grown
    return { bytesWritten: length }
  }

  async read(bytes: Uint8Array, offset: number, length: number, position: number | null) {
    const start = position ?? 0
    const part = this.#inode.bytes.subarray(start, start + length)
    bytes.set(part, offset)
    // The bytes are a part of the answer, by which programs are told apart.
    return { bytesRead: part.length, text: text(part) }
  }

  async stat() {
    return stat(this.#inode)
  }

  async chmod(mode: number) {
    this.#inode.mode = 0o100000 | mode
  }

  async sync() {
    this.#sync()
  }

  async datasync() {
    this.#sync()
  }

  async close() {}

  /** The file that was opened, by which programs are told apart. */
  toJSON(): number {
    return this.#inode.number
  }
}
