import Platform

extension Environment {
    /// Lets the system take the pages of the file out of this process's memory that reads have brought into it. They stay in the system's
    /// cache, and the next read of each finds it there. Does nothing where the system has no such call. O(pages).
    ///
    /// Throws `StorageError`.
    public func releasePages() throws {
        try read { transaction in
            guard let pages = transaction.pages else { return }
            // Sound: the map shows a file and is never written to, so a page that is taken out reads the same again.
            System.release(UnsafeMutableRawPointer(mutating: pages.baseAddress), pages.count)
        }
    }
}
