import CMemory

/// What is done before time is taken, for either side: so that neither pays for what the other let go of, nor for what the
/// machine did meanwhile.
enum Readiness {
    /// What the system is to have at hand. More, free all at once, some systems give back to the host at once, and with it
    /// much of the processor's time.
    private static let bytes = 128 << 20

    /// Makes memory ready: the C library's small pieces are joined, and the system has some at hand.
    static func prepare() {
        memory_settle()
        memory_touch(bytes)
    }
}
