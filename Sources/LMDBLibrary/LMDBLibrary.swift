// The C library, for `LMDB` alone: the system's, or with the trait `BundledLMDB` the one that an app brings along. Only what is imported is
// linked.
#if BundledLMDB
    @_exported public import LMDBSources
#else
    @_exported public import CLMDB
#endif

/// The library that was built in.
public enum LMDBLibrary {
    /// Whether the program brings it along.
    public static var isBundled: Bool {
        #if BundledLMDB
            true
        #else
            false
        #endif
    }
}
