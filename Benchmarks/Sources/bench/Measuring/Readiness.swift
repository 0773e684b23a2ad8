import CMemory

/// What is done before time is taken, for either side: so that neither pays for what the other let go of, nor for what the
/// machine did meanwhile.
enum Readiness {
    /// More memory than this, free all at once, goes back to the host at once on some machines.
    private static let most = 768 << 20

    /// Makes memory ready: the C library's small pieces are joined, and the system has some at hand, 256 MB unless told.
    static func prepare(bytes: Int = 256 << 20) {
        memory_settle()
        memory_touch(min(bytes, most))
    }
}
