import Platform

/// The open files of an environment, from its opening until it is closed or suspended.
struct OpenFiles {
    let handle: OpaquePointer
    /// Bytes of a page.
    let pageSize: Int
    private(set) var ahead: WriteAhead?
    let lostTransactions: Int
    private(set) var lockFile: LockFile?
    private(set) var presence: ProcessPresence?
    let registration: Registration

    /// Releases all but LMDB's handle. Only after that is closed: until then presence and LMDB's locks protect it. And before this process
    /// opens the environment again: closing a descriptor of `lock.mdb` would drop the new handle's locks too.
    mutating func letGo() {
        ahead = nil
        presence = nil
        lockFile = nil
    }
}
