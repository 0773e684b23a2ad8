import CMemory

/// Preparation before a measurement, for either side: so that neither pays for memory that the other freed, nor for
/// what the machine did meanwhile.
enum Readiness {
    /// The amount that the system is to have ready. Some systems give more, freed all at once, back to the host at
    /// once, and with it much of the processor's time.
    private static let bytes = 128 << 20

    /// Makes memory ready: joins the C library's small blocks, and gets the system some.
    static func prepare() {
        memory_trim()
        memory_touch(bytes)
    }
}
